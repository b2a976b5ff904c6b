package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/server/auth"
)

const addName = "add_documents"

const addDescription = `Store documents, replacing those with the same ids: all of them or, after an error, none. Make one document of each thing that a search should find: a note, a message, a page.`

type addArgs struct {
	Collection string     `json:"collection,omitempty" jsonschema:"required if there are several"`
	Documents  []document `json:"documents"`
	Create     bool       `json:"create,omitempty" jsonschema:"create the collection if it does not exist"`
}

type document struct {
	ID       string         `json:"id,omitempty" jsonschema:"derived from title and text by default"`
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text,omitempty" jsonschema:"plain, of any length"`
	Metadata map[string]any `json:"metadata,omitempty" jsonschema:"fields for conditions: strings, numbers, booleans, lists of these"`
}

type addAnswer struct {
	Collection string   `json:"collection"`
	Created    bool     `json:"created,omitempty" jsonschema:"the collection is new"`
	IDs        []string `json:"ids"`
	Cut        []string `json:"cut,omitempty" jsonschema:"ids of documents with a passage longer than the encoder reads"`
}

func (t *tools) addAdd(s *sdk.Server, role auth.Role) {
	hints := sdk.ToolAnnotations{IdempotentHint: true, DestructiveHint: jsonschema.Ptr(true)}
	def := define[addArgs, addAnswer](addName, "Add documents", addDescription, `{"documents": [{"title": "Walk", "text": "A dog on a beach.", "metadata": {"year": 2020}}]}`, hints, func(in map[string]*jsonschema.Schema) {
		in["documents"].MinItems, in["documents"].MaxItems = jsonschema.Ptr(1), jsonschema.Ptr(t.options.Limits.Documents)
	})
	tool(t, s, def, t.options.Limits.WriteTime, func(ctx context.Context, in addArgs) (addAnswer, error) {
		return t.add(ctx, role, in)
	})
}

func (t *tools) add(ctx context.Context, role auth.Role, in addArgs) (out addAnswer, err error) {
	docs := make([]engine.Document, len(in.Documents))
	for i, d := range in.Documents {
		if d.Title == "" && d.Text == "" {
			return out, advise("document %d has neither a title nor a text; give it one. Nothing was stored", i)
		}
		docs[i] = engine.Document{ID: d.ID, Title: d.Title, Text: d.Text}
		if d.Metadata != nil {
			if docs[i].Metadata, err = json.Marshal(d.Metadata); err != nil {
				return out, fmt.Errorf("reading the metadata of document %d: %w", i, err)
			}
		}
	}
	if out.Created, err = t.make(ctx, role, in.Collection, in.Create); err != nil {
		return out, err
	}
	c, name, release, err := t.use(ctx, in.Collection, true)
	if err != nil {
		return out, err
	}
	defer release(&err)
	if out.Cut, err = c.Encode(ctx, docs); err != nil {
		return out, err
	}
	if err := c.Upsert(ctx, docs); err != nil {
		return out, err
	}
	out.Collection, out.IDs = name, make([]string, len(docs))
	for i := range docs {
		out.IDs[i] = docs[i].ID
	}
	return out, nil
}

// make creates a collection that does not exist, if wanted.
func (t *tools) make(ctx context.Context, role auth.Role, name string, wanted bool) (made bool, err error) {
	names, err := t.collections.Names(ctx)
	switch {
	case err != nil || slices.Contains(names, name) || name == "" && !wanted:
		return false, err
	case name == "":
		return false, advise("name the collection to create")
	case role < auth.Admin:
		return false, advise("there is no collection %q, and you may not create one: %s", name, listed(names))
	case !wanted:
		return false, advise("there is no collection %q, and \"create\": true would create it: %s", name, listed(names))
	}
	err = t.collections.Make(ctx, name, "")
	return err == nil, err
}
