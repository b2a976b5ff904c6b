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

func newPair(values [len(pairColumns)]string) (Pair, error) {
	if slices.Contains(values[1:], "") {
		return Pair{}, fmt.Errorf("pair %q lacks one of %s", values[0], strings.Join(pairColumns[1:], ", "))
	}
	return Pair{ID: values[0], Queries: [2]string{values[1], values[2]}, Documents: [2]string{values[3], values[4]}}, nil
}

// ReadNevIR reads pairs (Weller et al. 2024) from a .csv, .tsv or .jsonl file with
// the columns id, q1, q2, doc1 and doc2 under these names, in any order.
func ReadNevIR(path string) ([]Pair, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var pairs []Pair
	switch kind := filepath.Ext(strings.TrimSuffix(path, ".gz")); kind {
	case ".csv":
		pairs, err = readPairTable(f.name, f, ',')
	case ".tsv":
		pairs, err = readPairTable(f.name, f, '\t')
	case ".jsonl":
		pairs, err = readPairLines(f.name, f)
	default:
		err = fmt.Errorf("reading %s: pairs are in a .csv, .tsv or .jsonl file, not in one of %q", path, kind)
	}
	if err == nil && len(pairs) == 0 {
		err = fmt.Errorf("reading %s: there are no pairs in it", path)
	}
	return pairs, err
}

func readPairLines(name string, r io.Reader) ([]Pair, error) {
	var out []Pair
	for l, err := range lines(name, r) {
		if err != nil {
			return nil, err
		}
		var record struct{ ID, Q1, Q2, Doc1, Doc2 string }
		if err := l.decode(&record); err != nil {
			return nil, err
		}
		p, err := newPair([...]string{record.ID, record.Q1, record.Q2, record.Doc1, record.Doc2})
		if err != nil {
			return nil, l.fail("%w", err)
		}
		out = append(out, p)
	}
	return out, nil
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
		var values [len(pairColumns)]string
		for i := range values {
			values[i] = row[at[i]]
		}
		p, err := newPair(values)
		if err != nil {
			n, _ := table.FieldPos(0)
			return nil, fmt.Errorf("reading %s, line %d: %w", name, n, err)
		}
		out = append(out, p)
	}
}
