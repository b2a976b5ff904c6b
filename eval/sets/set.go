package sets

import (
	"cmp"
	"encoding/json"
	"iter"
	"path/filepath"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// Set is evaluation data: one split of the queries, and their corpus.
type Set struct {
	Name, Split string
	Queries     []Query
	// Documents reads the corpus, again for every loop. An error ends the loop.
	Documents iter.Seq2[Document, error]
	// Warnings lists what is valid but suspicious.
	Warnings []string
}

// newSet returns a set without queries, whose corpus is a file in a folder.
func newSet(dir, split, corpus string, read func(line) (Document, error)) *Set {
	return &Set{Name: filepath.Base(filepath.Clean(dir)), Split: split, Documents: documents(filepath.Join(dir, corpus), read)}
}

// Document is one document of a corpus, as a logic set stores it.
type Document struct {
	ID       string          `json:"_id"`
	Title    string          `json:"title"`
	Passages []string        `json:"passages"`
	Text     string          `json:"text,omitempty"` // a whole page, where there are no passages
	Labels   []string        `json:"labels,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// Query is one query of a set, with its judgements.
type Query struct {
	ID       string
	Template string // one of Templates, or the set's own name
	Text     string // in plain language, if the set has it
	Formula  string // in the syntax of package query; a text without a formula is one atom
	Truth    string // the same formula over labels, in logic sets
	// AboutExcluded are the documents about what the query excludes, in known-item sets.
	AboutExcluded []string

	judgements judgements // nil if there are none
}

// plain returns a query in plain language.
func plain(id, text string, relevant grades) Query {
	q := Query{ID: id, Text: text, judgements: relevant}
	formula := (&query.Atom{Text: text}).String()
	if _, err := query.Parse(formula); err == nil { // a blank or overlong text has no formula
		q.Formula = formula
	}
	return q
}

// SetGrades replaces the query's judgements, for sets made by hand. A grade above 0 is
// relevant.
func (q *Query) SetGrades(byID map[string]int) { q.judgements = grades(byID) }

// judgements are the grades of one query's documents.
type judgements interface {
	grade(id string) int
	// relevant yields the documents with a grade above 0, in a fixed order.
	relevant() iter.Seq2[string, int]
}

// Grade returns the grade of a document, 0 if it is not relevant or not judged.
func (q *Query) Grade(id string) int {
	if q.judgements == nil {
		return 0
	}
	return q.judgements.grade(id)
}

// Relevant yields the relevant documents of the query and their grades, in a fixed order.
// Some may be missing from the corpus.
func (q *Query) Relevant() iter.Seq2[string, int] {
	if q.judgements == nil {
		return grades(nil).relevant()
	}
	return q.judgements.relevant()
}

// Ideal returns the grades of all relevant documents, highest first.
func (q *Query) Ideal() []int {
	var out []int
	for _, g := range q.Relevant() {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(b, a) })
	return out
}

// grades are judgements listed in a file.
type grades map[string]int

func (g grades) grade(id string) int { return g[id] }

func (g grades) relevant() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, id := range sortedKeys(g) {
			if g[id] > 0 && !yield(id, g[id]) {
				return
			}
		}
	}
}

func (g grades) count() int {
	n := 0
	for _, v := range g {
		if v > 0 {
			n++
		}
	}
	return n
}
