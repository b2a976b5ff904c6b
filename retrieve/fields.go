package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/spelling"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// known are the names of fields that a store's documents have.
type known struct {
	names []string
	all   bool // there are no others
}

// fields are the names of the fields that documents have. Those of a sample are taken again
// when the store has grown or shrunk by a tenth.
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
	f, err := engine.FieldsOf(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	s.memory.fields, s.memory.described = &known{names: f.Names()}, size.Documents
	return s.memory.fields, nil
}

// unknown notes the fields that a question or its options name and no document has: documents
// may come, so that it is no mistake for certain. A store that does not tell is not waited for;
// the search itself will say what is wrong with it. A condition on a column that is a part of
// documents is an error, since it is compared with nothing whatever comes.
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

// conditionFields are the fields of metadata that a filter, which may be nil, has conditions on.
func conditionFields(filter query.Node) (names []string) {
	if filter == nil {
		return nil
	}
	for leaf := range query.Leaves(filter) {
		if x, ok := leaf.(*query.Predicate); ok && x.Field != words.Field {
			names = append(names, x.Field)
		}
	}
	return names
}

// lacks reports whether no document has a field, be it one of few that no sample has shown.
func (s *Searcher) lacks(ctx context.Context, p *Prepared, name string) bool {
	exists := &query.Predicate{Field: name, Op: query.GreaterEqual} // than the empty text, as every value is
	m := [][]float32{p.monolithic()}
	found, err := s.Store.Pool(ctx, m, 1, exists, m)
	return err == nil && len(found.Refs)+len(found.Degraded) == 0
}

// missing says that no document has a field, and what they have.
func (k *known) missing(name string) string {
	const told = 20
	text := fmt.Sprintf("no document has the field %s", name)
	if len(k.names) == 0 {
		return text + ": they have no metadata"
	}
	if meant := spelling.Meant(name, k.names); meant != "" {
		text += " (" + meant + ")"
	}
	text += "; there is " + strings.Join(k.names[:min(len(k.names), told)], ", ")
	if n := len(k.names); n > told {
		text += fmt.Sprintf(", and %d more", n-told)
	}
	return text
}
