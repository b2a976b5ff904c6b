package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// kindValues is the largest number of values of a field that says what documents are.
const kindValues = 24

// ofKind restricts a question in plain language to the kind of documents it asks for: "photos of
// dogs" becomes dogs kind:photo if some documents have the value photo in a field of few values.
// Otherwise it returns the question as it is.
func (s *Searcher) ofKind(ctx context.Context, q *Question) (*Question, error) {
	if q.Kind == "" || s.Store == nil {
		return q, nil
	}
	kinds, err := s.kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking up what %q stands for: %w", q.Kind, err)
	}
	is := kinds[words.Stem(q.Kind)]
	if is == nil || slices.Contains(conditionFields(q.Formula.Filter), is.Field) {
		return q, nil
	}
	own, f := *q, *q.Formula
	if f.Filter = query.Node(is); q.Formula.Filter != nil {
		f.Filter = query.AllOf(q.Formula.Filter, is)
	}
	own.Formula = &f
	own.Kind = "" // done
	own.Understood = slices.Clone(q.Understood)
	if len(own.Understood) > 0 {
		own.Understood[0] += " " + is.String()
	}
	return &own, nil
}

// kinds returns the values of fields with few values, by their stems. It counts again once the
// store's size has changed by more than a tenth.
func (s *Searcher) kinds(ctx context.Context) (map[string]*query.Predicate, error) {
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	fields, err := s.fields(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.Lock()
	defer s.memory.Unlock()
	if m := &s.memory; m.kinds != nil && !grown(m.kindsAt, size.Documents) {
		return m.kinds, nil
	}
	var wishes []fieldstats.FacetRequest
	for _, name := range fields.names[:min(len(fields.names), fieldstats.MaxFacets)] {
		wishes = append(wishes, fieldstats.FacetRequest{Field: name, Size: kindValues})
	}
	facets, err := fieldstats.Facets(ctx, s.Store, wishes, nil)
	if err != nil {
		return nil, err
	}
	kinds := map[string]*query.Predicate{}
	for _, f := range facets {
		if f.Others > 0 || len(f.Buckets) < 2 {
			continue
		}
		for _, b := range f.Buckets {
			stem := words.Stem(strings.ToLower(b.Value))
			if kinds[stem] == nil && b.Value != "" {
				kinds[stem] = &query.Predicate{Field: f.Field, Value: b.Value}
			}
		}
	}
	s.memory.kinds, s.memory.kindsAt = kinds, size.Documents
	return kinds, nil
}
