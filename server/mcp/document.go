package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/engine"
)

const getDescription = `Read a document: title, text, metadata. A long text comes in pieces.`

// pieceBytes is the maximum text of a result.
const pieceBytes = 20_000

type getArgs struct {
	Collection string `json:"collection,omitempty"`
	ID         string `json:"id"`
	Offset     int    `json:"offset,omitempty" jsonschema:"in bytes; a result has the next one"`
}

type getAnswer struct {
	Collection string         `json:"collection"`
	ID         string         `json:"id"`
	Title      string         `json:"title,omitempty"`
	Text       string         `json:"text"`
	Metadata   map[string]any `json:"metadata,omitempty"`
	Bytes      int            `json:"bytes" jsonschema:"of the whole text"`
	Next       int            `json:"next,omitempty" jsonschema:"offset of the next piece"`

	from int
}

func (t *tools) addGet(s *sdk.Server) {
	def := define[getArgs, getAnswer]("get_document", "Read a document", getDescription, `{"id": "photo-12"}`, looks, func(in map[string]*jsonschema.Schema) {
		between(in["offset"], 0, engine.MaxDocumentBytes, 0)
	})
	tool(t, s, def, t.options.Limits.SearchTime, t.get)
}

func (t *tools) get(ctx context.Context, in getArgs) (out getAnswer, err error) {
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, err
	}
	defer release(&err)
	d, err := c.Store().Get(ctx, in.ID, engine.Titles|engine.Texts|engine.Metadata)
	if err != nil {
		return out, err
	}
	if in.Offset > len(d.Text) {
		return out, advise("the text has only %d bytes; begin at a smaller offset", len(d.Text))
	}
	from := boundary(d.Text, in.Offset)
	to := boundary(d.Text, from+pieceBytes)
	out = getAnswer{Collection: name, ID: d.ID, Title: d.Title, Text: d.Text[from:to], Metadata: object(d.Metadata), Bytes: len(d.Text), from: from}
	if to < len(d.Text) {
		out.Next = to
	}
	return out, nil
}

// text returns the document as text: a long one is easier to read without the escapes of JSON.
func (a getAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "id %s", a.ID)
	if a.Title != "" {
		fmt.Fprintf(&b, "  %s", a.Title)
	}
	if len(a.Metadata) > 0 {
		fmt.Fprintf(&b, "\nmetadata: %s", compact(a.Metadata))
	}
	fmt.Fprintf(&b, "\n\n%s\n", a.Text)
	if a.from > 0 || a.Next > 0 {
		fmt.Fprintf(&b, "\nThis is bytes %d to %d of %d.", a.from, a.from+len(a.Text), a.Bytes)
	}
	if a.Next > 0 {
		fmt.Fprintf(&b, " Continue with offset %d.", a.Next)
	}
	return b.String()
}
