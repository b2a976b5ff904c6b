package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/engine"
)

const listDescription = `List the collections: the number of documents, and the metadata fields with values.`

// Limits of a list. Opening a collection may load an encoder.
const (
	describedCollections = 20
	shownFields          = 40 // of a collection, the most frequent ones
)

type listArgs struct {
	Collection string `json:"collection,omitempty" jsonschema:"only this one"`
}

type listAnswer struct {
	Collections []described `json:"collections"`
}

type described struct {
	Name      string         `json:"name"`
	Documents int            `json:"documents"`
	Encoder   string         `json:"encoder,omitempty"`
	Fields    []engine.Field `json:"fields,omitempty" jsonschema:"of the metadata"`
	Sampled   int            `json:"sampled,omitempty" jsonschema:"documents read to find the fields"`
	Problem   string         `json:"problem,omitempty" jsonschema:"why it is not described"`
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
	found, err := c.Fields(ctx)
	if err != nil {
		return c.Explain(ctx, err)
	}
	frequent := slices.SortedStableFunc(slices.Values(found.Fields), func(a, b engine.Field) int { return b.Documents - a.Documents })
	d.Fields, d.Sampled = frequent[:min(len(frequent), shownFields)], found.Documents
	return nil
}
