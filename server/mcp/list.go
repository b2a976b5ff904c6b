package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

const listDescription = `List the collections: the number of documents, and the metadata fields with values and an example condition.`

// describedCollections is the maximum number of collections to describe; opening one may
// load an encoder.
const describedCollections = 20

type listArgs struct {
	Collection string `json:"collection,omitempty" jsonschema:"only this one"`
}

type listAnswer struct {
	Collections []described `json:"collections"`
}

type described struct {
	Name      string  `json:"name"`
	Documents int     `json:"documents"`
	Encoder   string  `json:"encoder,omitempty"`
	Fields    []field `json:"fields,omitempty" jsonschema:"of the metadata"`
	Sampled   int     `json:"sampled,omitempty" jsonschema:"documents read to find the fields"`
	Problem   string  `json:"problem,omitempty" jsonschema:"why it is not described"`
}

func (t *tools) addList(s *sdk.Server) {
	def := define[listArgs, listAnswer]("list_collections", "List collections", listDescription, `{}`, looks, nil)
	tool(t, s, def, t.options.Limits.SearchTime, t.list)
}

func (t *tools) list(ctx context.Context, in listArgs) (out listAnswer, err error) {
	out.Collections = []described{}
	names, err := t.collections.Names(ctx)
	if err != nil {
		return out, err
	}
	if in.Collection != "" {
		name, err := t.find(ctx, in.Collection)
		if err != nil {
			return out, err
		}
		names = []string{name}
	}
	for i, name := range names {
		d := described{Name: name}
		if i >= describedCollections {
			d.Problem = "not described; pass its name as collection"
		} else if err := t.describe(ctx, &d); ctx.Err() != nil {
			return out, ctx.Err()
		} else if err != nil {
			d.Problem = t.mistake(err, t.options.Limits.SearchTime).Error()
		}
		out.Collections = append(out.Collections, d)
	}
	return out, nil
}

func (t *tools) describe(ctx context.Context, d *described) error {
	c, release, err := t.collections.Use(ctx, d.Name, false)
	if err != nil {
		return err
	}
	defer release()
	if d.Documents, err = c.Count(ctx); err != nil {
		return c.Explain(ctx, err)
	}
	d.Encoder = c.Encoder().Identity().String()
	d.Fields, d.Sampled, err = fields(ctx, c.Collection)
	return c.Explain(ctx, err)
}

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
