package sets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
)

// exclusion is a query of ExcluIR. The names of its parts differ between its
// description and the scripts that are published with it.
type exclusion struct {
	Text      string `json:"ExcluQ"`
	Rewritten string `json:"RQ_rewrite"`
	Index     []int  `json:"index"`
	SubIndex  []int  `json:"corpus_sub_index"`
}

// OpenExcluIR reads ExcluIR (Zhang et al. 2025) from a folder with its files,
// corpus.json and test_manual_final.json, which are its split test. Documents go by their
// place in the corpus, the first being 0. Of a query's two documents the first is what
// it excludes, and has the grade 0 as all others have.
func OpenExcluIR(dir, split string) (*Set, error) {
	if split != "test" {
		return nil, fmt.Errorf("reading %s: ExcluIR has the split test only, and %q is asked for", dir, split)
	}
	path := filepath.Join(dir, "test_manual_final.json")
	records, err := read(path, readArray[exclusion])
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(filepath.Clean(dir)), Split: split, Documents: func(yield func(Document, error) bool) {
		texts, err := read(filepath.Join(dir, "corpus.json"), readArray[string])
		if err != nil {
			yield(Document{}, err)
			return
		}
		for i, text := range texts {
			if !yield(Document{ID: strconv.Itoa(i), Passages: []string{text}}, nil) {
				return
			}
		}
	}}
	for i := range records {
		q, err := records[i].query(fmt.Sprintf("%s-%04d", split, i+1))
		if err != nil {
			return nil, fmt.Errorf("reading %s, query %d: %w", path, i+1, err)
		}
		s.Queries = append(s.Queries, q)
	}
	return s, nil
}

func (e *exclusion) query(id string) (Query, error) {
	text, places := cmp.Or(e.Text, e.Rewritten), e.Index
	if places == nil {
		places = e.SubIndex
	}
	if text == "" || len(places) < 2 {
		return Query{}, errors.New("it needs the text ExcluQ and in index the places of two documents, the excluded one first")
	}
	relevant := grades{}
	for _, place := range places[1:] {
		if place < 0 || place == places[0] {
			return Query{}, fmt.Errorf("document %d cannot be relevant to it", place)
		}
		relevant[strconv.Itoa(place)] = 1
	}
	return plain(id, text, relevant), nil
}

// readArray reads a file that is one JSON array; one that is empty is refused.
func readArray[T any](name string, r io.Reader) (out []T, err error) {
	d := json.NewDecoder(r)
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("reading %s: this is not the JSON array that is expected here: %w", name, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: something follows the JSON array", name)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("reading %s: the array is empty", name)
	}
	return out, nil
}
