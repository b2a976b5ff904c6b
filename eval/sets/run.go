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

// Run is what a system found: for each query, documents with their scores.
type Run struct {
	Tag     string // the system's name
	Results map[string][]Scored
}

// Scored is a document with its score for a query.
type Scored struct {
	ID    string
	Score float64
}

// Rank orders the documents of one query as trec_eval does: by score, the highest
// first, and those with the same score by id, the last in the alphabet first. The
// order in which they come does not matter. (Up to its version 9 trec_eval keeps
// scores as 32-bit numbers, so that more of them may be the same to it.)
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

// ReadRun reads TREC's form of a run: a query's id, a column that is ignored, a
// document's id, its rank (ignored too: the score decides), its score and the
// system's name, separated by white space. Lines that begin with # are comments.
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
			return nil, l.fail("a line of a run has six columns (query, Q0, document, rank, score, name), and this one %d", len(columns))
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

// WriteRun writes a run in TREC's form: queries sorted by id, documents in the
// order of Rank, which is the one trec_eval will use.
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

// writableRow refuses names that a line of columns cannot hold.
func writableRow(query, document string) error {
	if strings.HasPrefix(query, "#") {
		return fmt.Errorf("a line that begins with %q would be a comment in TREC's form", query)
	}
	return errors.Join(writable(query), writable(document))
}

func writable(name string) error {
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return fmt.Errorf("%q is empty or has white space in it, which TREC's form cannot hold; replace it by an id of your own", name)
	}
	return nil
}
