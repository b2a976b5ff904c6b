package main

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

func scoreCommand() *cobra.Command {
	var s scoring
	cmd := &cobra.Command{
		Use:   "score [FORMULA [FILE]]",
		Short: "Rank documents by a formula, given their similarities",
		Long: `Score runs the calculus on similarities from your own encoder and vector database. FILE
(- for standard input) has a JSON object per line:

  {"id": "doc-1", "similarities": {"dog": 0.35, "leash": 0.2, "dog AND leash": 0.27}}

nsfl plan FORMULA shows which strings a formula needs. Without arguments it runs a built-in
example.`,
		Example: `  nsfl score
  nsfl score --explain
  nsfl score 'dog AND NOT leash' similarities.jsonl
  nsfl score --c-not 0.5 --gate off 'dog AND NOT leash' - < similarities.jsonl`,
		Args: args(0, 2, "a formula and a file, or neither"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&s.style, "fusion", "simple", "how the strings are fused: simple or contextual")
	addKnobs(f, s.research.Knobs(), "mode", "pool", "candidates", "fusion", "words", "solver")
	f.BoolVar(&s.explain, "explain", false, "explain each score")
	addJSON(f)
	return cmd
}

// scoring holds the flags of nsfl score.
type scoring struct {
	style    string
	research retrieve.Research
	explain  bool
}

// scored is one document in the result.
type scored struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Score float32 `json:"score"`
	// Baseline is the rank by the similarity to the whole query, if all documents have one.
	Baseline    int                `json:"baseline_rank,omitempty"`
	Explanation *logic.Explanation `json:"explanation,omitempty"`

	cosines    []float32 // to the terms of the formula
	monolithic float64   // NaN where it is not given
}

// exampleFormula and exampleSimilarities let score run without any input. The
// pictures are from COCO with new descriptions; the numbers are the cosines of their
// captions to the formula's strings by all-MiniLM-L6-v2.
const exampleFormula = "cat AND NOT laptop"

//go:embed example.jsonl
var exampleSimilarities string

// run reads, ranks and prints.
func (s *scoring) run(cmd *cobra.Command, args []string) error {
	formula, in := exampleFormula, io.Reader(strings.NewReader(exampleSimilarities))
	switch {
	case len(args) == 1:
		return usageError{fmt.Errorf("score needs a file of similarities beside the formula; nsfl plan %q shows which ones", args[0])}
	case len(args) == 2 && args[1] == "-":
		formula, in = args[0], cmd.InOrStdin()
	case len(args) == 2:
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer file.Close()
		formula, in = args[0], file
	}
	p, err := newPlanned(cmd.Context(), formula, retrieve.Options{}, s.style)
	if err != nil {
		return err
	}
	program, err := logic.Compile(p.formula, calculusOf(&s.research))
	if err != nil {
		return usageError{err}
	}
	docs, err := readSimilarities(in, p, program)
	if err == nil {
		err = s.rank(program, docs)
	}
	if err != nil {
		return err
	}
	return answer(cmd, map[string]any{"formula": p.Formula, "results": docs}, func(io.Writer) { printScores(newTerminal(cmd.OutOrStdout(), "never"), p.Formula, docs) })
}

// readSimilarities reads JSON lines; every similarity that the formula reads
// must be present.
func readSimilarities(in io.Reader, p *planned, program *logic.Program) (docs []*scored, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var line struct {
			ID           string             `json:"id"`
			Similarities map[string]float64 `json:"similarities"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d is not {\"id\": …, \"similarities\": {…}}: %w", number, err)
		}
		d := &scored{ID: line.ID, monolithic: math.NaN()}
		if v, ok := line.Similarities[p.Monolithic]; ok {
			d.monolithic = v
		}
		for term := range p.formula.Terms.Len() {
			name := p.termString(term)
			v, ok := line.Similarities[name]
			if !ok && program.Reads(term) {
				return nil, fmt.Errorf("line %d (%s) has no similarity to %q; the formula needs it", number, line.ID, name)
			}
			if math.Abs(v) > 1.0001 {
				return nil, fmt.Errorf("line %d (%s): the similarity to %q is %v; a cosine lies between -1 and 1", number, line.ID, name, v)
			}
			d.cosines = append(d.cosines, float32(v))
		}
		docs = append(docs, d)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading similarities: %w", err)
	}
	if len(docs) == 0 {
		return nil, errors.New("there are no similarities to score; expected a JSON object per line")
	}
	return docs, nil
}

// rank scores the documents, explains them if asked to, and sorts them.
func (s *scoring) rank(program *logic.Program, docs []*scored) error {
	columns := make([][]float32, program.Formula().Terms.Len())
	for c := range columns {
		for _, d := range docs {
			columns[c] = append(columns[c], d.cosines[c])
		}
	}
	scores := make([]float32, len(docs))
	maxima, err := program.Rank(scores, columns)
	if err != nil {
		return err
	}
	for i, d := range docs {
		d.Score = scores[i]
		if s.explain {
			if d.Explanation, err = program.Explain(d.cosines, maxima); err != nil {
				return err
			}
		}
	}
	if !slices.ContainsFunc(docs, func(d *scored) bool { return math.IsNaN(d.monolithic) }) {
		order(docs, func(d *scored) (float64, *int) { return d.monolithic, &d.Baseline })
	}
	order(docs, func(d *scored) (float64, *int) { return float64(d.Score), &d.Rank })
	return nil
}

// order sorts documents by a key in descending order, then by id, and numbers them.
func order(docs []*scored, by func(*scored) (key float64, rank *int)) {
	slices.SortStableFunc(docs, func(a, b *scored) int {
		ka, _ := by(a)
		kb, _ := by(b)
		return cmp.Or(cmp.Compare(kb, ka), strings.Compare(a.ID, b.ID))
	})
	for i, d := range docs {
		_, rank := by(d)
		*rank = i + 1
	}
}
