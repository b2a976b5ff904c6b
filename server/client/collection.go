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
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/server"
)

// atOnce is the number of files or documents in a request.
const atOnce = 1000

// Files returns the fingerprints of the indexed files by name.
func (c *Collection) Files(ctx context.Context) (map[string]ingest.Fingerprint, error) {
	files := map[string]ingest.Fingerprint{}
	if c.missing {
		return files, nil
	}
	for after := ""; ; {
		var page server.SourceList
		if err := c.call(ctx, http.MethodGet, fmt.Sprintf("%s/sources?limit=%d&after=%s", c.path, atOnce, url.QueryEscape(after)), nil, &page); err != nil {
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

// NoteFiles records fingerprints of files; nil removes one.
func (c *Collection) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	if err := c.create(ctx); err != nil {
		return err
	}
	var all []server.SourceNote
	for name, f := range files {
		s := server.SourceNote{Name: name, Forget: f == nil}
		if f != nil {
			s.Size, s.Modified, s.SHA256, s.Place = f.Size, f.Modified, f.SHA256, f.Place
		}
		all = append(all, s)
	}
	for some := range slices.Chunk(all, atOnce) {
		if err := c.call(ctx, http.MethodPost, c.path+"/sources", &server.SourceNotes{Sources: some}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Lookup returns the documents with the given ids that exist, without vectors.
func (c *Collection) Lookup(ctx context.Context, ids []string) (docs []engine.Document, err error) {
	if c.missing {
		return nil, nil
	}
	for some := range slices.Chunk(ids, atOnce) {
		for len(some) > 0 {
			var page server.DocumentPage
			if err := c.call(ctx, http.MethodPost, c.path+"/documents/lookup", &server.IDs{IDs: some}, &page); err != nil {
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

// DocumentsOf returns the ids of the documents that came from a file.
func (c *Collection) DocumentsOf(ctx context.Context, file string) (ids []string, err error) {
	if c.missing {
		return nil, nil
	}
	for after := ""; ; {
		var page server.DocumentPage
		of := url.Values{"source": {file}, "ids": {"true"}, "limit": {fmt.Sprint(atOnce)}, "after": {after}}
		if err := c.call(ctx, http.MethodGet, c.path+"/documents?"+of.Encode(), nil, &page); err != nil {
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

// Delete removes documents and returns how many existed.
func (c *Collection) Delete(ctx context.Context, ids ...string) (n int, err error) {
	for some := range slices.Chunk(ids, atOnce) {
		var deleted server.Deleted
		if err := c.call(ctx, http.MethodPost, c.path+"/documents/delete", &server.IDs{IDs: some}, &deleted); err != nil {
			return n, err
		}
		n += deleted.Documents
	}
	return n, nil
}

// Put has the server encode and store documents, and returns how many have a passage longer
// than the encoder's limit. If a document cannot be stored, the error is an
// *engine.InputError, and others may be stored.
func (c *Collection) Put(ctx context.Context, docs []engine.Document) (cut int, err error) {
	if err := c.create(ctx); err != nil {
		return 0, err
	}
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
	err = c.send(ctx, http.MethodPost, c.path+"/documents/bulk", "application/x-ndjson", body.Bytes(), func(answer io.Reader) error {
		done, err := c.readBulk(answer)
		cut = done.Cut
		return err
	})
	return cut, err
}

// readBulk reads the response to a bulk request.
func (c *Collection) readBulk(answer io.Reader) (line server.BulkLine, err error) {
	var input error
	lines := json.NewDecoder(bufio.NewReader(answer))
	for line.Type != "done" {
		line = server.BulkLine{}
		if err := lines.Decode(&line); err != nil {
			return line, webclient.Lost("reading the answer of "+c.base, err)
		}
		if line.Type == "failed" && line.Error != nil && input == nil {
			input = engine.BadInput("the server refuses it", "%s", line.Error.Detail)
		}
	}
	if line.OK == nil || !*line.OK {
		e := &webclient.StatusError{Host: c.base}
		if line.Error != nil {
			e.Code, e.Message, e.Kind, e.Passes = line.Error.Status, line.Error.Detail, line.Error.Code, line.Error.Code == "busy" || line.Error.Status >= 500 && line.Error.Code != "full"
		}
		return line, e
	}
	return line, input
}
