package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/engine"
)

const getDescription = `Read a document: title, text, metadata. A long text comes in pieces.`

const (
	pieceBytes    = 20_000  // maximum text of a result
	resourceBytes = 1 << 20 // maximum text of a resource
)

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

// addDocument offers documents as resources, for clients in which a user can attach them.
func (t *tools) addDocument(s *sdk.Server) {
	s.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "document", Title: "A document of a collection", URITemplate: scheme + "{collection}/{+id}", MIMEType: "text/plain",
		Description: "The title and the text of a document; collection and id are percent-encoded.",
	}, func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		var text string
		code := int64(jsonrpc.CodeInternalError)
		err := t.guard(ctx, "resources/read", t.options.Limits.SearchTime, func(ctx context.Context) (err error) {
			text, err = t.resource(ctx, r.Params.URI)
			var known *advice
			if errors.Is(err, engine.ErrNotFound) || errors.As(err, &known) {
				code = jsonrpc.CodeInvalidParams
			}
			return err
		})
		if err != nil {
			return nil, &jsonrpc.Error{Code: code, Message: err.Error()}
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: text}}}, nil
	})
}

const scheme = "nsfl://"

// resource returns the text of the document at a URI.
func (t *tools) resource(ctx context.Context, uri string) (string, error) {
	host, path, _ := strings.Cut(strings.TrimPrefix(uri, scheme), "/")
	name, badName := url.PathUnescape(host)
	id, badID := url.PathUnescape(path)
	if badName != nil || badID != nil || name == "" || id == "" {
		return "", advise("%q is not the address of a document; it is %sCOLLECTION/ID, percent-encoded", clip(uri, titleBytes), scheme)
	}
	c, _, release, err := t.use(ctx, name, false)
	if err != nil {
		return "", err
	}
	defer release(&err)
	d, err := c.Store().Get(ctx, id, engine.Titles|engine.Texts|engine.Metadata)
	if err != nil {
		return "", err
	}
	if len(d.Text) > resourceBytes {
		return "", advise("the document has %d bytes; get_document reads it in pieces", len(d.Text))
	}
	return strings.TrimSpace(d.Title + "\n\n" + d.Text), nil
}
