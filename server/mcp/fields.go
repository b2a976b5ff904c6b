package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// How much of a collection is looked at for its fields, and shown.
const (
	sampled     = 256 // documents
	shownFields = 40
	shownValues = 6
	valueBytes  = 60 // longer values are text, not something to compare with
)

// field is a field of the metadata.
type field struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind" jsonschema:"number, text or boolean; mixed where documents differ"`
	Documents int      `json:"documents" jsonschema:"of those that were looked at, so many have it"`
	Values    []string `json:"values,omitempty" jsonschema:"some of them"`
	Least     *float64 `json:"least,omitempty"`
	Most      *float64 `json:"most,omitempty"`
	Condition string   `json:"condition,omitempty" jsonschema:"an example of a condition on it"`
}

// fields are those of documents from all over a collection, the commonest first.
func fields(ctx context.Context, c *nsfl.Collection) (out []field, looked int, err error) {
	refs, err := c.Store().Sample(ctx, sampled)
	if err != nil {
		return nil, 0, err
	}
	found := map[string]*field{}
	err = engine.Visit(ctx, c.Store(), refs, engine.Metadata, func(_ int, d *engine.Document) { note(found, d.Metadata) })
	if err != nil {
		return nil, 0, err
	}
	looked = len(refs)
	for f := range maps.Values(found) {
		f.illustrate()
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b field) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), shownFields)], looked, nil
}

// note adds the metadata of a document.
func note(found map[string]*field, metadata json.RawMessage) {
	seen := map[string]bool{}
	walk("", object(metadata), func(name string, value any) {
		f := found[name]
		if f == nil {
			f = &field{Name: name}
			found[name] = f
		}
		if !seen[name] {
			seen[name] = true
			f.Documents++
		}
		f.add(value)
	})
}

// walk visits the values that predicates can reach: outer.inner is a field within
// a field, and a list stands for its elements.
func walk(name string, value any, visit func(name string, value any)) {
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for key, inner := range v {
			if name != "" {
				key = name + "." + key
			}
			walk(key, inner, visit)
		}
	case []any:
		for _, element := range v {
			walk(name, element, visit)
		}
	default:
		visit(name, v)
	}
}

func (f *field) add(value any) {
	kind, text := "text", fmt.Sprint(value)
	switch v := value.(type) {
	case bool:
		kind = "boolean"
	case json.Number:
		if x, err := v.Float64(); err == nil {
			kind = "number"
			if f.Least == nil {
				f.Least, f.Most = new(x), new(x)
			}
			*f.Least, *f.Most = min(*f.Least, x), max(*f.Most, x)
		}
	}
	if f.Kind != "" && f.Kind != kind {
		kind = "mixed"
	}
	f.Kind = kind
	if len(f.Values) < shownValues && text != "" && len(text) <= valueBytes && !slices.Contains(f.Values, text) {
		f.Values = append(f.Values, text)
	}
}

// illustrate makes a condition, where the language can write one.
func (f *field) illustrate() {
	if len(f.Values) == 0 {
		return
	}
	p := &query.Predicate{Field: f.Name, Value: f.Values[0]}
	if f.Kind == "number" {
		p.Op = query.GreaterEqual
	}
	if back, err := query.Parse(p.String()); err == nil && query.Same(back, p) {
		f.Condition = p.String()
	}
}

func (f field) String() string {
	text := fmt.Sprintf("%s: %s", f.Name, f.Kind)
	switch {
	case f.Kind == "number":
		text += fmt.Sprintf(" from %v to %v", *f.Least, *f.Most)
	case len(f.Values) > 0:
		text += ", such as " + strings.Join(f.Values, "; ")
	}
	if f.Condition != "" {
		text += "; condition: " + f.Condition
	}
	return text
}
