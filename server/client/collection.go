package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/server"
)

// atOnce is how much is asked for, or told, at a time.
const atOnce = 1000

// Collection is one of a server's.
type Collection struct {
	client *Client
	path   string
}

// Collection is that of a name, which need not be there.
func (c *Client) Collection(name string) *Collection { return &Collection{c, pathOf(name)} }

// Files are those whose documents are there, by name.
func (c *Collection) Files(ctx context.Context) (map[string]ingest.Fingerprint, error) {
	files := map[string]ingest.Fingerprint{}
	for after := ""; ; {
		var page server.SourceList
		if err := c.client.call(ctx, http.MethodGet, fmt.Sprintf("%s/sources?limit=%d&after=%s", c.path, atOnce, url.QueryEscape(after)), nil, &page); err != nil {
			return nil, err
		}
		for _, s := range page.Sources {
			files[s.Name] = ingest.Fingerprint{Size: s.Size, Modified: s.Modified, SHA256: s.SHA256, Place: s.Place}
		}
		if after = page.Next; after == "" {
			return files, nil
		}
	}
}

// NoteFiles keeps what is known of files; nil forgets one.
func (c *Collection) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	var all []server.SourceNote
	for name, f := range files {
		s := server.SourceNote{Name: name, Forget: f == nil}
		if f != nil {
			s.Size, s.Modified, s.SHA256, s.Place = f.Size, f.Modified, f.SHA256, f.Place
		}
		all = append(all, s)
	}
	for some := range slices.Chunk(all, atOnce) {
		if err := c.client.call(ctx, http.MethodPost, c.path+"/sources", &server.SourceNotes{Sources: some}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Lookup reads those documents of some ids that are there, without vectors.
func (c *Collection) Lookup(ctx context.Context, ids []string) (docs []engine.Document, err error) {
	for some := range slices.Chunk(ids, atOnce) {
		for len(some) > 0 {
			var page server.DocumentPage
			if err := c.client.call(ctx, http.MethodPost, c.path+"/documents/lookup", &server.IDs{IDs: some}, &page); err != nil {
				return nil, err
			}
			for i := range page.Documents {
				docs = append(docs, page.Documents[i].Plain())
			}
			next := slices.Index(some, page.Next)
			if page.Next == "" || next < 1 {
				break
			}
			some = some[next:]
		}
	}
	return docs, nil
}

// DocumentsOf are the ids of the documents that came from a file.
func (c *Collection) DocumentsOf(ctx context.Context, file string) (ids []string, err error) {
	for after := ""; ; {
		var page server.DocumentPage
		of := url.Values{"source": {file}, "ids": {"true"}, "limit": {fmt.Sprint(atOnce)}, "after": {after}}
		if err := c.client.call(ctx, http.MethodGet, c.path+"/documents?"+of.Encode(), nil, &page); err != nil {
			return nil, err
		}
		for _, d := range page.Documents {
			ids = append(ids, d.ID)
		}
		if after = page.Next; after == "" {
			return ids, nil
		}
	}
}

// Delete removes documents, and tells how many there were.
func (c *Collection) Delete(ctx context.Context, ids []string) (n int, err error) {
	for some := range slices.Chunk(ids, atOnce) {
		var deleted server.Deleted
		if err := c.client.call(ctx, http.MethodPost, c.path+"/documents/delete", &server.IDs{IDs: some}, &deleted); err != nil {
			return n, err
		}
		n += deleted.Documents
	}
	return n, nil
}

// Store has documents encoded and stored, and tells how many have a passage longer than
// the encoder reads. One that cannot be stored is an *engine.InputError; others may be
// stored then.
func (c *Collection) Store(ctx context.Context, docs []engine.Document) (cut int, err error) {
	var body bytes.Buffer
	lines := json.NewEncoder(&body)
	lines.SetEscapeHTML(false)
	for i := range docs {
		if docs[i].Vector != nil {
			return 0, engine.BadInput(fmt.Sprintf("document %q", docs[i].ID), "it has a vector, which cannot go through a server")
		}
		if err := lines.Encode(server.NewDocument(&docs[i])); err != nil {
			return 0, err
		}
	}
	err = c.client.send(ctx, http.MethodPost, c.path+"/documents/bulk", "application/x-ndjson", body.Bytes(), func(answer io.Reader) error {
		done, err := c.readBulk(answer)
		cut = done.Cut
		return err
	})
	return cut, err
}

// readBulk reads the lines that answer a bulk request.
func (c *Collection) readBulk(answer io.Reader) (line server.BulkLine, err error) {
	var input error
	lines := json.NewDecoder(bufio.NewReader(answer))
	for line.Type != "done" {
		line = server.BulkLine{}
		if err := lines.Decode(&line); err != nil {
			return line, webclient.Lost("reading the answer of "+c.client.base, err)
		}
		if line.Type == "failed" && line.Error != nil && input == nil {
			input = engine.BadInput("the server refuses it", "%s", line.Error.Detail)
		}
	}
	if line.OK == nil || !*line.OK {
		e := &webclient.StatusError{Host: c.client.base}
		if line.Error != nil {
			e.Code, e.Message, e.Kind, e.Passes = line.Error.Status, line.Error.Detail, line.Error.Code, line.Error.Code == "busy" || line.Error.Status >= 500 && line.Error.Code != "full"
		}
		return line, e
	}
	return line, input
}
