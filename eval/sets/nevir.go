package sets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Pair is one of NevIR's: two documents that differ in a negation, and two queries,
// of which the first asks for the first document and the second for the second.
type Pair struct {
	ID        string
	Queries   [2]string
	Documents [2]string
}

// pairColumns are the columns of NevIR that are read; it has more.
var pairColumns = [...]string{"id", "q1", "q2", "doc1", "doc2"}

// pairRecord has them in that order.
type pairRecord struct{ ID, Q1, Q2, Doc1, Doc2 string }

func (r pairRecord) pair() (Pair, error) {
	if r.Q1 == "" || r.Q2 == "" || r.Doc1 == "" || r.Doc2 == "" {
		return Pair{}, fmt.Errorf("pair %q lacks one of %s", r.ID, strings.Join(pairColumns[1:], ", "))
	}
	return Pair{ID: r.ID, Queries: [2]string{r.Q1, r.Q2}, Documents: [2]string{r.Doc1, r.Doc2}}, nil
}

// ReadNevIR reads pairs (Weller et al. 2024) from a .csv, .tsv or .jsonl file with
// the columns id, q1, q2, doc1 and doc2 under these names, in any order.
func ReadNevIR(path string) ([]Pair, error) {
	var comma rune
	switch kind := filepath.Ext(strings.TrimSuffix(path, ".gz")); kind {
	case ".csv":
		comma = ','
	case ".tsv":
		comma = '\t'
	case ".jsonl":
		return readPairLines(path)
	default:
		return nil, fmt.Errorf("reading %s: pairs are in a .csv, .tsv or .jsonl file, not in one of %q", path, kind)
	}
	pairs, err := read(path, func(name string, r io.Reader) ([]Pair, error) { return readPairTable(name, r, comma) })
	if err == nil && len(pairs) == 0 {
		err = fmt.Errorf("reading %s: there are no pairs in it", path)
	}
	return pairs, err
}

func readPairLines(path string) (out []Pair, err error) {
	err = records(path, "pairs", func(l line, record pairRecord) error {
		p, err := record.pair()
		if err != nil {
			return l.fail("%w", err)
		}
		out = append(out, p)
		return nil
	})
	return out, err
}

func readPairTable(name string, r io.Reader, comma rune) ([]Pair, error) {
	table := csv.NewReader(r)
	table.Comma = comma
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	var at [len(pairColumns)]int
	for i, column := range pairColumns {
		at[i] = slices.IndexFunc(header, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), column) })
		if at[i] < 0 {
			return nil, fmt.Errorf("reading %s, line 1: there is no column %s; the columns are %s", name, column, strings.Join(header, ", "))
		}
	}
	var out []Pair
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		p, err := pairRecord{row[at[0]], row[at[1]], row[at[2]], row[at[3]], row[at[4]]}.pair()
		if err != nil {
			n, _ := table.FieldPos(0)
			return nil, fmt.Errorf("reading %s, line %d: %w", name, n, err)
		}
		out = append(out, p)
	}
}
