package sets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// OpenNevIR reads a split (train, validation or test) of NevIR from a folder with its
// file, SPLIT.jsonl or SPLIT.csv, as a set of which all pairs' documents are the corpus:
// a query's one relevant document is to be found among all of them. NevIR's own measure,
// which document of the two comes first, goes by ReadNevIR. A text that occurs in several
// pairs is one document.
func OpenNevIR(dir, split string) (*Set, error) {
	pairs, err := ReadNevIR(filepath.Join(dir, split+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		table, tableErr := ReadNevIR(filepath.Join(dir, split+".csv"))
		if !errors.Is(tableErr, fs.ErrNotExist) {
			pairs, err = table, tableErr
		}
	}
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(filepath.Clean(dir)), Split: split}
	var docs []Document
	ids := map[string]string{}
	for i, p := range pairs {
		for j, text := range p.Documents {
			if ids[text] == "" {
				ids[text] = fmt.Sprintf("%s-%04d-doc%d", split, i+1, j+1)
				docs = append(docs, Document{ID: ids[text], Passages: []string{text}})
			}
		}
		for j, text := range p.Queries {
			s.Queries = append(s.Queries, plain(fmt.Sprintf("%s-%04d-q%d", split, i+1, j+1), text, grades{ids[p.Documents[j]]: 1}))
		}
	}
	s.Documents = func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
	return s, nil
}

// ReadNevIR reads pairs (Weller et al. 2024) from a file of JSON objects, one a line, as
// NevIR is published, or from a table with commas. Both have id, q1, q2, doc1 and doc2
// under these names, in any order.
func ReadNevIR(path string) ([]Pair, error) {
	pairs, err := read(path, readPairs)
	if err == nil && len(pairs) == 0 {
		err = fmt.Errorf("reading %s: there are no pairs in it", path)
	}
	return pairs, err
}

// readPairs tells the two forms apart by how they begin.
func readPairs(name string, r io.Reader) ([]Pair, error) {
	buffered := bufio.NewReader(r)
	start, _ := buffered.Peek(64) // what cannot be read is met again below
	if bytes.HasPrefix(bytes.TrimLeft(start, "\ufeff \t\r\n"), []byte("{")) {
		return readPairLines(name, buffered)
	}
	return readPairTable(name, buffered)
}

func readPairLines(name string, r io.Reader) (out []Pair, err error) {
	for l, err := range lines(name, r) {
		if err != nil {
			return nil, err
		}
		var record struct {
			ID                 any // a text or a number
			Q1, Q2, Doc1, Doc2 string
		}
		if err := l.decode(&record); err != nil {
			return nil, err
		}
		p := Pair{fmt.Sprint(record.ID), [2]string{record.Q1, record.Q2}, [2]string{record.Doc1, record.Doc2}}
		if err := p.check(); err != nil {
			return nil, l.fail("%w", err)
		}
		out = append(out, p)
	}
	return out, nil
}

// check reports a pair that lacks something.
func (p *Pair) check() error {
	if slices.Contains(slices.Concat(p.Queries[:], p.Documents[:]), "") {
		return fmt.Errorf("pair %q lacks one of %s", p.ID, strings.Join(pairColumns[1:], ", "))
	}
	return nil
}

func readPairTable(name string, r io.Reader) (out []Pair, err error) {
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
		if err := p.check(); err != nil {
			n, _ := table.FieldPos(0)
			return nil, line{file: name, n: n}.fail("%w", err)
		}
		out = append(out, p)
	}
}
