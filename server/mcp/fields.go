package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// shownFields is how many are told.
const shownFields = 40

// field is a field of the metadata.
type field struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind" jsonschema:"number, string, bool, time, or mixed where documents differ"`
	Documents int      `json:"documents" jsonschema:"of the sampled, so many have it"`
	Values    []string `json:"values,omitempty" jsonschema:"some"`
	Least     string   `json:"least,omitempty"`
	Most      string   `json:"most,omitempty"`
	Condition string   `json:"condition,omitempty" jsonschema:"an example"`
}

// fields are those of a collection, the commonest first.
func fields(ctx context.Context, c *nsfl.Collection) (out []field, looked int, err error) {
	found, err := c.Fields(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i := range found.Fields {
		f := &found.Fields[i]
		out = append(out, field{f.Name, string(f.Kind), f.Documents, f.Values, f.Least, f.Most, condition(f)})
	}
	slices.SortFunc(out, func(a, b field) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), shownFields)], found.Documents, nil
}

// condition is one on a field, where the language can write one.
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

func (f field) String() string {
	text := fmt.Sprintf("%s: %s", f.Name, f.Kind)
	switch {
	case f.Least != "":
		text += fmt.Sprintf(" from %s to %s", f.Least, f.Most)
	case len(f.Values) > 0:
		text += ", such as " + strings.Join(f.Values, "; ")
	}
	if f.Condition != "" {
		text += "; condition: " + f.Condition
	}
	return text
}
