package lab

import (
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Searcher searches the corpus, documents being compared in one way: for
// experiments that rank by other means than Run's. A document's ref is its place in
// IDs, and each string of a query is encoded once.
func (c *Corpus) Searcher(how Passages) (*retrieve.Searcher, error) {
	m, err := c.matrix(how)
	if err != nil {
		return nil, err
	}
	return &retrieve.Searcher{Store: m, Encoder: &texts{corpus: c, known: map[string][]float32{}}}, nil
}

// Formula is that of a query; a text without one is an atom.
func Formula(q *sets.Query) (*query.Formula, error) { return formulaOf(q) }
