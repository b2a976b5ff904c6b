package main

import (
	"bufio"
	"cmp"
	"encoding/json"
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
		Long: `Score runs the calculus alone, on similarities that you have: from your own
encoder and your own vector database. FILE (or standard input, as -) has a JSON
object per line:

  {"id": "doc-1", "similarities": {"dog": 0.35, "leash": 0.2, "dog AND leash": 0.27}}

nsfl plan FORMULA shows which strings a formula needs. Without FILE and FORMULA
a built-in example runs.`,
		Example: `  nsfl score
  nsfl score --explain
  nsfl score 'dog AND NOT leash' similarities.jsonl
  nsfl score --c-not 0.5 --gate off 'dog AND NOT leash' - < similarities.jsonl`,
		Args: args(0, 2, "a formula and a file, or neither"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&s.style, "fusion", "simple", "how the strings are fused: simple or contextual")
	addKnobs(f, calculusKnobs(&s.research))
	f.BoolVar(&s.explain, "explain", false, "say how each score came about")
	addJSON(f)
	return cmd
}

// scoring is one run of nsfl score.
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
	// Baseline is the rank by the monolithic string, where its similarity is
	// given for every document.
	Baseline    int                `json:"baseline_rank,omitempty"`
	Explanation *logic.Explanation `json:"explanation,omitempty"`

	cosines    []float32
	monolithic float64
}

func (s *scoring) run(cmd *cobra.Command, args []string) error {
	formula, in := exampleFormula, io.Reader(strings.NewReader(exampleSimilarities))
	switch {
	case len(args) == 1:
		return usageError{fmt.Errorf("score needs a file of similarities beside the formula; nsfl plan %q shows which ones", args[0])}
	case len(args) == 2 && args[1] == "-":
		formula, in = args[0], cmd.InOrStdin()
	case len(args) == 2:
		formula = args[0]
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	p, err := newPlanned(formula, false, s.style)
	if err != nil {
		return err
	}
	program, err := logic.Compile(p.formula, calculusOf(&s.research))
	if err != nil {
		return usageError{err}
	}
	docs, err := readSimilarities(in, p, program)
	if err != nil {
		return err
	}
	if err := s.rank(program, docs); err != nil {
		return err
	}
	return answer(cmd, map[string]any{"formula": p.Formula, "results": docs}, func(w io.Writer) { printScores(w, p.Formula, docs) })
}

// readSimilarities reads JSON lines; every similarity that the formula reads
// must be there.
func readSimilarities(in io.Reader, p *planned, program *logic.Program) ([]*scored, error) {
	var docs []*scored
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
		return nil, fmt.Errorf("there are no similarities to score; expected a JSON object per line")
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
	statistics, err := program.Rank(scores, columns)
	if err != nil {
		return err
	}
	baseline := true
	for i, d := range docs {
		d.Score = scores[i]
		baseline = baseline && !math.IsNaN(d.monolithic)
		if s.explain {
			if d.Explanation, err = program.Explain(d.cosines, statistics); err != nil {
				return err
			}
		}
	}
	if baseline {
		sortBy(docs, func(d *scored) float64 { return d.monolithic })
		for i, d := range docs {
			d.Baseline = i + 1
		}
	}
	sortBy(docs, func(d *scored) float64 { return float64(d.Score) })
	for i, d := range docs {
		d.Rank = i + 1
	}
	return nil
}

// sortBy sorts descending; equal documents are ordered by their id.
func sortBy(docs []*scored, key func(*scored) float64) {
	slices.SortStableFunc(docs, func(a, b *scored) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), strings.Compare(a.ID, b.ID))
	})
}
