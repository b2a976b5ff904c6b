package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/passage"
)

// Document is a document as clients write and read it.
type Document struct {
	ID       string          `json:"id,omitempty" maxLength:"1024" doc:"at most 1,024 bytes; derived from title and text if omitted"`
	Title    string          `json:"title,omitempty"`
	Text     string          `json:"text,omitempty" example:"A dog on a leash"`
	Passages []string        `json:"passages,omitempty" doc:"parts of the text with vectors of their own; if omitted, the server splits the text"`
	Places   []passage.Place `json:"places,omitempty" doc:"where the passages begin, one for each; optional"`
	Metadata Metadata        `json:"metadata,omitzero" doc:"fields that predicates such as year:>=2015 read"`
}

// Metadata is a JSON object, kept as it was written.
type Metadata struct{ json.RawMessage }

// UnmarshalJSON accepts an object or null.
func (m *Metadata) UnmarshalJSON(content []byte) error {
	switch {
	case string(content) == "null":
		return nil
	case content[0] != '{':
		return invalid("the metadata of a document is a JSON object; this begins with %q", content[:1])
	}
	m.RawMessage = bytes.Clone(content)
	return nil
}

// Schema returns the schema of an arbitrary object.
func (Metadata) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// Documents is one document or a list of documents.
type Documents []Document

// maxAtOnce is how many documents one request stores, all or nothing.
const maxAtOnce = 1000

// UnmarshalJSON accepts an object or a list.
func (d *Documents) UnmarshalJSON(content []byte) error {
	if content = bytes.TrimSpace(content); len(content) > 0 && content[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(content, &list); err != nil {
			return err
		}
		if len(list) == 0 || len(list) > maxAtOnce {
			return invalid("the list has %d documents; between 1 and %d can be stored at once, and …/documents/bulk takes any number", len(list), maxAtOnce)
		}
		*d = make(Documents, len(list))
		for i, one := range list {
			if err := decodeJSON(one, &(*d)[i]); err != nil {
				return invalid("document %d of the list: %v", i, err)
			}
		}
		return nil
	}
	*d = make(Documents, 1)
	return decodeJSON(content, &(*d)[0])
}

// Schema returns the schema of one document or a list.
func (Documents) Schema(r huma.Registry) *huma.Schema {
	one := r.Schema(reflect.TypeFor[Document](), true, "")
	least, most := 1, maxAtOnce
	return &huma.Schema{OneOf: []*huma.Schema{one, {Type: huma.TypeArray, Items: one, MinItems: &least, MaxItems: &most}}}
}

// Stored reports the stored documents.
type Stored struct {
	Documents int      `json:"documents"`
	IDs       []string `json:"ids" nullable:"false"`
	Cut       []string `json:"cut" nullable:"false" doc:"ids of documents with a passage longer than the encoder reads"`
}

// DocumentPage is a page of a list of documents.
type DocumentPage struct {
	Documents []Document `json:"documents,omitempty" nullable:"false" required:"true"`
	Next      string     `json:"next,omitempty" doc:"the parameter after for the next page; for lookup, the first id that is still to be looked up; omitted at the end"`

	bytes int64 // of the documents
}

func (p *DocumentPage) list() (rest any, name string, length int) {
	return &DocumentPage{Next: p.Next}, "documents", len(p.Documents)
}

func (p *DocumentPage) item(i int) any { return &p.Documents[i] }

// add adds a document and reports whether the response has space for more.
func (p *DocumentPage) add(d Document, bytes int, l *Limits) bool {
	p.Documents = append(p.Documents, d)
	p.bytes += int64(bytes)
	return p.bytes < l.AnswerBytes
}

// prepared returns the document as it is stored, without vectors. It reports client errors
// before anything is encoded.
func (d *Document) prepared() (out engine.Document, err error) {
	if strings.TrimSpace(d.Text) == "" {
		d.Text = ""
	}
	if strings.TrimSpace(d.Title+d.Text+strings.Join(d.Passages, "")) == "" {
		return out, invalid("document %q has neither a title nor a text", d.ID)
	}
	for _, p := range d.Passages {
		if strings.TrimSpace(p) == "" {
			return out, invalid("document %q has an empty passage", d.ID)
		}
	}
	out = d.Plain()
	size := out.Bytes() + len(d.Title) // the title may become a passage
	if d.Passages == nil {
		size += len(d.Text) // it is split into passages
	}
	switch {
	case len(d.Places) > 0 && len(d.Places) != len(d.Passages):
		return out, invalid("document %q has %d passages and %d places; give one for each, or none", d.ID, len(d.Passages), len(d.Places))
	case len(d.ID) > engine.MaxIDBytes:
		return out, invalid("the id of a document has %d bytes; at most %d are possible", len(d.ID), engine.MaxIDBytes)
	case len(d.Passages) >= engine.MaxPassages:
		return out, invalid("document %q has %d passages; fewer than %d are possible", d.ID, len(d.Passages), engine.MaxPassages)
	case size > engine.MaxDocumentBytes:
		return out, invalid("document %q has %d bytes with its passages; at most %d are possible", d.ID, size, engine.MaxDocumentBytes)
	}
	return out, nil
}

// Plain returns the document as it is stored, without vectors.
func (d *Document) Plain() engine.Document {
	out := engine.Document{ID: d.ID, Title: d.Title, Text: d.Text, Passages: engine.NewPassages(d.Passages), Metadata: d.Metadata.RawMessage}
	for i := range min(len(d.Places), len(out.Passages)) {
		out.Passages[i].Place = d.Places[i]
	}
	return out
}

func (s *Server) addDocuments(x *exchange, in *Documents) (*Stored, error) {
	return s.store(x, *in)
}

func (s *Server) putDocument(x *exchange, in *Document) (*Stored, error) {
	id := x.PathValue("id")
	if in.ID != "" && in.ID != id {
		return nil, invalid("the body has the id %q and the path the id %q; leave the id out of the body", in.ID, id)
	}
	in.ID = id
	return s.store(x, Documents{*in})
}

// store stores all documents or none.
func (s *Server) store(x *exchange, docs Documents) (*Stored, error) {
	batch, bytes := make([]engine.Document, len(docs)), 0
	for i := range docs {
		var err error
		if batch[i], err = docs[i].prepared(); err != nil {
			return nil, err
		}
		bytes += batch[i].Bytes()
	}
	if err := x.share.Draw(storeFactor * int64(bytes)); err != nil {
		return nil, err
	}
	return s.storeBatch(x.Context(), x.collection, batch)
}

func (s *Server) storeBatch(ctx context.Context, c *workspace.Handle, batch []engine.Document) (*Stored, error) {
	cut, err := c.Encode(ctx, batch)
	if err != nil {
		return nil, err
	}
	// Encoded documents are stored even if the client has gone.
	if err := c.Upsert(context.WithoutCancel(ctx), batch); err != nil {
		return nil, err
	}
	stored := &Stored{Documents: len(batch), IDs: make([]string, len(batch)), Cut: append([]string{}, cut...)}
	for i := range batch {
		stored.IDs[i] = batch[i].ID
	}
	return stored, nil
}

// shownParts are the parts of a document that clients see.
const shownParts = engine.Titles | engine.Texts | engine.Metadata

func (s *Server) getDocument(x *exchange, _ *nothing) (*Document, error) {
	if err := x.share.Draw(readCost); err != nil {
		return nil, err
	}
	d, err := x.collection.Store().Get(x.Context(), x.PathValue("id"), shownParts)
	if isNotFound(err) {
		return nil, noDocument(x.PathValue("id"))
	}
	if err != nil {
		return nil, err
	}
	return NewDocument(&d), nil
}

func isNotFound(err error) bool { return errors.Is(err, engine.ErrNotFound) }

func noDocument(id string) error { return newProblem("not_found", "there is no document %q", id) }

// NewDocument returns a document as clients see it.
func NewDocument(d *engine.Document) *Document {
	out := &Document{ID: d.ID, Title: d.Title, Text: d.Text, Places: d.Places(), Metadata: Metadata{d.Metadata}}
	for _, p := range d.Passages {
		out.Passages = append(out.Passages, p.Text)
	}
	return out
}

func (s *Server) deleteDocument(x *exchange, _ *nothing) (*nothing, error) {
	n, err := x.collection.Delete(x.Context(), x.PathValue("id"))
	if err == nil && n == 0 {
		return nil, noDocument(x.PathValue("id"))
	}
	return nil, err
}

func (s *Server) listDocuments(x *exchange, _ *nothing) (*DocumentPage, error) {
	limit, err := x.limit(maxAtOnce)
	if err != nil {
		return nil, err
	}
	asked := x.URL.Query()
	of := engine.Page{After: asked.Get("after"), Parts: shownParts}
	source, ids := asked.Get("source"), "false"
	if source != "" {
		of.Filter = workspace.OfFile(source)
	}
	if asked.Has("ids") {
		ids = asked.Get("ids")
	}
	switch ids {
	case "true":
		of.Parts = engine.Metadata // it holds the source
	case "false":
	default:
		return nil, invalid("ids=%q is neither true nor false", ids)
	}
	if err := x.share.Draw(s.limits.listCost(limit)); err != nil {
		return nil, err
	}
	page, room := &DocumentPage{}, true
	for len(page.Documents) < limit && room { // a store may return a short page
		of.Limit, of.Bytes = limit-len(page.Documents), int(s.limits.AnswerBytes-page.bytes)
		docs, next, err := x.collection.Store().List(x.Context(), of)
		var input *engine.InputError
		switch {
		case errors.As(err, &input):
			return nil, invalid("after=%q is not the next of a page", of.After)
		case err != nil:
			return nil, err
		case len(docs) == 0:
			return page, nil
		}
		for i := range docs {
			switch {
			case source != "" && workspace.FileOf(docs[i].Metadata) != source:
			case ids == "true":
				room = page.add(Document{ID: docs[i].ID}, len(docs[i].ID), &s.limits)
			default:
				room = page.add(*NewDocument(&docs[i]), docs[i].Bytes(), &s.limits)
			}
		}
		of.After = next
	}
	page.Next = of.After
	return page, nil
}
