package sets

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Run is the result of a system: for each query, documents with scores.
type Run struct {
	Tag     string // the system's name
	Results map[string][]Scored
}

// Scored is a document with its score for a query.
type Scored struct {
	ID    string
	Score float64
}

// Rank orders the documents of one query like trec_eval: by descending score, and by
// descending id among equal scores. The input order does not matter. (Up to version 9
// trec_eval stores scores as 32-bit numbers, so more of them may be equal.)
func Rank(found []Scored) []string {
	order := slices.Clone(found)
	slices.SortFunc(order, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]string, len(order))
	for i, s := range order {
		ids[i] = s.ID
	}
	return ids
}

// ReadRun reads a run in TREC's format: query id, an ignored column, document id, rank (also
// ignored: the score decides), score and system name, separated by white space. Lines that
// start with # are comments.
func ReadRun(path string) (*Run, error) {
	return read(path, readRun)
}

func readRun(name string, r io.Reader) (*Run, error) {
	run := &Run{Results: map[string][]Scored{}}
	type key struct{ query, document string }
	seen := map[key]bool{}
	for l, err := range lines(name, r) {
		if err != nil {
			return nil, err
		}
		columns := strings.Fields(string(l.text))
		if columns[0][0] == '#' {
			continue
		}
		if len(columns) < 6 {
			return nil, l.fail("got %d columns, want 6 (query, Q0, document, rank, score, name)", len(columns))
		}
		score, err := strconv.ParseFloat(columns[4], 64)
		if err != nil || math.IsNaN(score) {
			return nil, l.fail("the score %q is not a number", columns[4])
		}
		k := key{columns[0], columns[2]}
		if seen[k] {
			return nil, l.fail("document %q is ranked twice for query %q", k.document, k.query)
		}
		seen[k] = true
		run.Results[k.query] = append(run.Results[k.query], Scored{k.document, score})
		run.Tag = columns[5]
	}
	return run, nil
}

// WriteRun writes a run in TREC's format: queries sorted by id, documents in the order of
// Rank, which is the one trec_eval uses.
func WriteRun(w io.Writer, r *Run) error {
	out := bufio.NewWriter(w)
	if err := writable(r.Tag); err != nil {
		return fmt.Errorf("writing a run, the system's name: %w", err)
	}
	for _, query := range sortedKeys(r.Results) {
		scores := make(map[string]float64, len(r.Results[query]))
		for _, s := range r.Results[query] {
			scores[s.ID] = s.Score
		}
		if len(scores) < len(r.Results[query]) {
			return fmt.Errorf("writing a run: a document is ranked twice for query %q", query)
		}
		for i, id := range Rank(r.Results[query]) {
			if err := writableRow(query, id); err != nil {
				return fmt.Errorf("writing a run: %w", err)
			}
			fmt.Fprintf(out, "%s Q0 %s %d %s %s\n", query, id, i+1, strconv.FormatFloat(scores[id], 'g', -1, 64), r.Tag)
		}
	}
	return out.Flush()
}

// writableRow rejects ids that cannot be written as a column.
func writableRow(query, document string) error {
	if strings.HasPrefix(query, "#") {
		return fmt.Errorf("a line that starts with %q would be a comment in TREC's format", query)
	}
	return errors.Join(writable(query), writable(document))
}

func writable(name string) error {
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return fmt.Errorf("%q is empty or contains white space, which TREC's format does not allow; use another id", name)
	}
	return nil
}
