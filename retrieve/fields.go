package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/spelling"
	"github.com/nsfl-go/nsfl/query"
)

// known lists the metadata fields of a store's documents.
type known struct {
	names []string
	all   bool // the list is complete
}

// fields returns the field names of the documents. Names from a sample are refreshed once the
// store's size has changed by more than a tenth.
func (s *Searcher) fields(ctx context.Context) (*known, error) {
	if d := engine.CapabilitiesOf(s.Store).Described; d != nil {
		names, more, err := d.FieldNames(ctx)
		return &known{names, !more}, err
	}
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.Lock()
	defer s.memory.Unlock()
	if s.memory.fields != nil && !grown(s.memory.described, size.Documents) {
		return s.memory.fields, nil
	}
	f, err := fieldstats.FieldsOf(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	s.memory.fields, s.memory.described = &known{names: f.Names()}, size.Documents
	return s.memory.fields, nil
}

// unknown adds a note for each field that the query or its options name but no document has.
// It is not an error, because matching documents may be added later. Store failures are
// ignored here, since the search itself reports them. A condition on a column that holds a
// part of the document, such as its text, is an error: it can never match.
func (s *Searcher) unknown(ctx context.Context, p *Prepared) error {
	conditions := conditionFields(p.Formula.Filter)
	named := slices.Concat(conditions, p.Options.Fields)
	for _, w := range p.Options.Facets {
		named = append(named, w.Field)
	}
	slices.Sort(named)
	named = slices.Compact(named)
	if s.Store == nil || p.Size.Documents == 0 || len(named) == 0 {
		return nil
	}
	if c := engine.CapabilitiesOf(s.Store).Catalogued; c != nil {
		_, parts := c.Catalogue()
		for _, name := range conditions {
			if part := parts[name]; part != "" {
				return badOption("%s is no metadata: the column is the %s of documents, and conditions are on other columns; look for it in words", name, part)
			}
		}
	}
	fields, err := s.fields(ctx)
	if err != nil {
		return nil //nolint:nilerr // a note is missing, and nothing else
	}
	for _, name := range named {
		within := func(field string) bool { return strings.HasPrefix(field, name+".") }
		if slices.Contains(fields.names, name) || !slices.Contains(conditions, name) && slices.ContainsFunc(fields.names, within) {
			continue
		}
		if fields.all || s.lacks(ctx, p, name) {
			p.notes = append(p.notes, fields.missing(name))
		}
	}
	return nil
}

// conditionFields returns the metadata fields that a filter tests. The filter may be nil.
func conditionFields(filter query.Node) (names []string) {
	if filter == nil {
		return nil
	}
	for leaf := range query.Leaves(filter) {
		if x, ok := leaf.(*query.Predicate); ok && !query.IsTextField(x.Field) {
			names = append(names, x.Field)
		}
	}
	return names
}

// lacks reports whether no document in the store has a field, even one outside the sample.
func (s *Searcher) lacks(ctx context.Context, p *Prepared, name string) bool {
	exists := &query.Predicate{Field: name, Op: query.GreaterEqual} // every value is at least the empty string
	m := [][]float32{p.monolithic()}
	found, err := s.Store.Pool(ctx, m, 1, exists, m)
	return err == nil && len(found.Refs)+len(found.Degraded) == 0
}

// missing words the note that no document has a field, with a suggestion and the known fields.
func (k *known) missing(name string) string {
	const listed = 20
	text := fmt.Sprintf("no document has the field %s", name)
	if len(k.names) == 0 {
		return text + ": they have no metadata"
	}
	if meant := spelling.Meant(name, k.names); meant != "" {
		text += " (" + meant + ")"
	}
	text += "; there is " + strings.Join(k.names[:min(len(k.names), listed)], ", ")
	if n := len(k.names); n > listed {
		text += fmt.Sprintf(", and %d more", n-listed)
	}
	return text
}
