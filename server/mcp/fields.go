package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// shownFields is the maximum number of fields of a collection to list.
const shownFields = 40

// field is a metadata field.
type field struct {
	engine.Field
	Condition string `json:"condition,omitempty" jsonschema:"an example"`
}

// fields returns the metadata fields of a collection, most frequent first, and the number of
// documents that were read for them.
func fields(ctx context.Context, c *nsfl.Collection) (out []field, sampled int, err error) {
	found, err := c.Fields(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i := range found.Fields {
		f := &found.Fields[i]
		out = append(out, field{*f, condition(f)})
	}
	slices.SortFunc(out, func(a, b field) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), shownFields)], found.Documents, nil
}

// condition returns an example of a condition on a field, or "" if the language has none.
func condition(f *engine.Field) string {
	if len(f.Values) == 0 {
		return ""
	}
	p := &query.Predicate{Field: f.Name, Value: f.Values[0]}
	if f.Kind == engine.Number || f.Kind == engine.Time {
		p.Op = query.GreaterEqual
	}
	if back, err := query.Parse(p.String()); err != nil || !query.Same(back, p) {
		return ""
	}
	return p.String()
}
