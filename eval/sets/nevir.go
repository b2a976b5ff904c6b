package sets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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

// ReadNevIR reads pairs (Weller et al. 2024) from a .csv file with the columns id,
// q1, q2, doc1 and doc2 under these names, in any order.
func ReadNevIR(path string) ([]Pair, error) {
	pairs, err := read(path, readPairs)
	if err == nil && len(pairs) == 0 {
		err = fmt.Errorf("reading %s: there are no pairs in it", path)
	}
	return pairs, err
}

func readPairs(name string, r io.Reader) (out []Pair, err error) {
	table := csv.NewReader(r)
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
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		p := Pair{row[at[0]], [2]string{row[at[1]], row[at[2]]}, [2]string{row[at[3]], row[at[4]]}}
		if slices.Contains(slices.Concat(p.Queries[:], p.Documents[:]), "") {
			n, _ := table.FieldPos(0)
			return nil, fmt.Errorf("reading %s, line %d: pair %q lacks one of %s", name, n, p.ID, strings.Join(pairColumns[1:], ", "))
		}
		out = append(out, p)
	}
}
