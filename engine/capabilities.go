package engine

import (
	"context"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/query"
)

// Capabilities holds the optional operations of a store. A nil field means that the store does
// not support the operation.
//
// They are one struct because a store that wraps another must forward all of them: a wrapper
// that embeds an interface loses the operations that the interface does not name.
type Capabilities struct {
	Lexical LexicalStore // searches by words
	Scanner Scanner      // compares all documents at once
	// SlowScanner compares all documents at a cost that only a request for mode exact justifies.
	SlowScanner Scanner
	Ranker      Ranker     // ranks documents by a formula itself
	Counter     Counter    // counts the values of fields itself
	Described   Described  // knows the fields of all documents
	Catalogued  Catalogued // knows the columns that documents may have
}

// CapabilitiesOf returns the capabilities of a store: those that its method Capabilities
// returns or, if it has no such method, the interfaces that it implements. A store that wraps
// another one must have the method.
func CapabilitiesOf(s Store) Capabilities {
	if c, ok := s.(interface{ Capabilities() Capabilities }); ok {
		return c.Capabilities()
	}
	var c Capabilities
	c.Lexical, _ = s.(LexicalStore)
	c.Scanner, _ = s.(Scanner)
	c.Ranker, _ = s.(Ranker)
	c.Counter, _ = s.(Counter)
	c.Described, _ = s.(Described)
	c.Catalogued, _ = s.(Catalogued)
	return c
}

// Ranker is a store that can rank all its documents by the score of a formula itself, by
// vectors alone.
type Ranker interface {
	// Ranks reports whether ranking costs less than finding documents near to vectors until
	// the best are proven, as it does where each time all documents are compared.
	Ranks() bool

	// Rank returns the k best documents that pass the filter, best first, with their scores,
	// and the maxima of the gates over all documents that pass. vectors holds one vector per
	// term of the formula.
	Rank(ctx context.Context, score *pushdown.Score, vectors [][]float32, filter query.Node, k int) (refs []Ref, scores, maxima []float64, err error)
}

// Counter is a store that counts the values of fields itself.
type Counter interface {
	// CountValues calls tell once for each value of a field in the documents that pass a
	// filter, with the number of documents that have it. The values have the form that predicate.Values
	// returns. It fails with errors.ErrUnsupported, before calling tell, if there would be too
	// many.
	CountValues(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error
}
