// Package fieldstats describes the metadata of the documents of a store: which fields they
// have, and how often each value occurs.
//
// It knows stores by the interfaces of package engine, and asks those that count themselves.
package fieldstats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// Facet counts the values of a field: single values with the number of documents for each, or
// ranges if there are many numbers or times.
type Facet struct {
	Field   string           `json:"field"`
	Kind    engine.FieldKind `json:"kind" enum:"string,number,bool,time,mixed,unknown"`
	Buckets []Bucket         `json:"buckets" nullable:"false" doc:"values, the most frequent first, or ranges in order"`
	Others  int              `json:"others,omitempty" doc:"further values, and those that are longer than 256 bytes"`
	// Sampled is nonzero if only a sample of the documents was counted.
	Sampled int `json:"sampled,omitempty" doc:"counted in so many documents that pass, of more; left out: in all"`
	// Approximate means that there are too many values to count each one.
	Approximate bool `json:"approximate,omitempty" doc:"there are so many values that counts may be too low"`

	layout layout
}

// Bucket is a value, or a range from a value up to another, which is not in it.
type Bucket struct {
	Value string `json:"value,omitempty" doc:"as conditions have it"`
	From  string `json:"from,omitempty" doc:"of a range, what it begins with"`
	To    string `json:"to,omitempty" doc:"of a range, what it ends before"`
	Count int    `json:"count" doc:"documents that the conditions of the query keep; a list counts by each of its elements"`
	Found int    `json:"found" doc:"of the first 100 results"`
	Query string `json:"query,omitempty" doc:"the condition that keeps these, where the language can write it"`
}

// layout returns the index of the bucket for a value, or −1.
type layout func(v *predicate.Value) int

// FacetRequest requests the counts of the values of a field.
type FacetRequest struct {
	Field string `json:"field"`
	Size  int    `json:"size,omitempty" doc:"values or ranges at most, 10 by default"`
}

// UnmarshalJSON reads the name of a field, or an object.
func (w *FacetRequest) UnmarshalJSON(content []byte) error {
	*w = FacetRequest{}
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte(`"`)) {
		return json.Unmarshal(content, &w.Field)
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	type object FacetRequest
	return d.Decode((*object)(w))
}

// Limits of facets.
const (
	MaxFacets    = 16
	MaxFacetSize = 100
	facetSize    = 10     // where none is given
	facetReads   = 10_000 // documents, where a store does not count itself
)

// lister is a store that lists what passes a filter.
type lister interface {
	List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error)
}

// Facets counts the values of fields among the documents that pass a filter: in all of them
// where the store counts itself or there are few, otherwise in the first that it lists.
func Facets(ctx context.Context, s engine.Store, wishes []FacetRequest, filter query.Node) ([]*Facet, error) {
	out := make([]*Facet, len(wishes))
	tallies := map[int]*tally{} // what is yet to be counted, by request
	counter := engine.CapabilitiesOf(s).Counter
	for i, w := range wishes {
		t := newTally(w)
		if counter != nil {
			t.once = true
			err := counter.CountValues(ctx, w.Field, filter, t.add)
			if err == nil {
				out[i] = t.facet()
				continue
			}
			if !errors.Is(err, errors.ErrUnsupported) {
				return nil, err
			}
			t.once = false
		}
		tallies[i] = t
	}
	if len(tallies) == 0 {
		return out, nil
	}
	sampled, err := read(ctx, s, filter, tallies)
	if err != nil {
		return nil, err
	}
	for i, t := range tallies {
		out[i] = t.facet()
		out[i].Sampled = sampled
	}
	return out, nil
}

// read counts documents as the store lists them. It returns the number of documents counted if
// there are more.
func read(ctx context.Context, s engine.Store, filter query.Node, tallies map[int]*tally) (sampled int, err error) {
	l, ok := s.(lister)
	if !ok {
		return 0, engine.BadInput("facets", "the store neither counts values nor lists documents")
	}
	for page, documents := (engine.Page{Filter: filter, Limit: 1000, Parts: engine.Metadata}), 0; ; {
		docs, mark, err := l.List(ctx, page)
		if err != nil || len(docs) == 0 {
			return 0, err
		}
		for i := range docs {
			if documents == facetReads {
				return documents, nil
			}
			documents++
			values, problem := predicate.Values(docs[i].Metadata)
			if problem != nil { // what another has written need not be an object
				continue
			}
			for _, t := range tallies {
				t.addDocument(values)
			}
		}
		page.After = mark
	}
}

// Find counts a document among the first results.
func (f *Facet) Find(values []predicate.Value) {
	for v := range counted(values, f.Field) {
		if at := f.layout(&v); at >= 0 {
			f.Buckets[at].Found++
		}
	}
}

// counted are the values of a field that a document is counted by: a number that is written
// in two ways is one.
func counted(values []predicate.Value, field string) iter.Seq[predicate.Value] {
	return func(yield func(predicate.Value) bool) {
		for i, v := range values {
			again := i > 0 && v.IsNumber && values[i-1].IsNumber && values[i-1].Field == v.Field && values[i-1].Number == v.Number
			if v.Field == field && !again && !yield(v) {
				return
			}
		}
	}
}

// condition returns the query of a bucket, if the language can express it.
func (b *Bucket) condition(field string) string {
	var n query.Node = &query.Predicate{Field: field, Value: b.Value}
	if b.From != "" {
		n = query.AllOf(&query.Predicate{Field: field, Op: query.GreaterEqual, Value: b.From}, &query.Predicate{Field: field, Op: query.Less, Value: b.To})
	}
	if back, err := query.Parse(n.String()); query.IsTextField(field) || err != nil || !query.Same(back, n) {
		return ""
	}
	return n.String()
}
