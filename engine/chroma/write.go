package chroma

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// Upsert stores documents, in place of those that have their ids. It may be
// repeated, and is where a connection is lost. A document keeps its Ref. Batches of
// some hundred documents are good.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(ctx, docs, s.dim)
	if err != nil {
		return s.calls.Explain(doing, err)
	}
	return s.write(ctx, doing, func(ctx context.Context) error {
		if len(rows) == 0 {
			return nil
		}
		return s.store(ctx, rows)
	})
}

// store puts the passages of rows, then rows, and removes the passages of what was
// there before.
func (s *Store) store(ctx context.Context, rows []row) error {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].name
	}
	old, err := s.read(ctx, names, onlySaid)
	if err != nil {
		return err
	}
	version := newVersion()
	var documents, passages []entry
	for i := range rows {
		r := &rows[i]
		e, err := r.entry(version, old[r.name])
		if err == nil && e.size() > maxRequest {
			err = r.Invalid(i, fmt.Sprintf("with its vectors it is %d bytes to send, at most %d are possible", e.size(), maxRequest))
		}
		if err != nil {
			return err
		}
		documents = append(documents, e)
		for j := 1; j < len(r.vectors); j++ {
			e, err := r.passage(version, j)
			if err != nil {
				return err
			}
			passages = append(passages, e)
		}
	}
	if err := s.put(ctx, s.passages, passages); err != nil {
		return err
	}
	if err := s.put(ctx, s.documents, documents); err != nil {
		return err
	}
	return s.sweep(ctx, names, term(sayVersion, "$ne", version))
}

// newVersion is a number that no version of a document has had.
func newVersion() int64 {
	var b [8]byte
	rand.Read(b[:])
	return int64(binary.BigEndian.Uint64(b[:]) >> 1)
}

// put stores records, in as few requests as the server takes.
func (s *Store) put(ctx context.Context, address string, entries []entry) error {
	for len(entries) > 0 {
		var request struct {
			IDs        []string          `json:"ids"`
			Embeddings []json.RawMessage `json:"embeddings"`
			Metadatas  []json.RawMessage `json:"metadatas"`
			URIs       []json.RawMessage `json:"uris"`
		}
		n, size := 0, 0
		for ; n < min(len(entries), s.maxBatch); n++ {
			e := &entries[n]
			if size += e.size(); n > 0 && size > maxRequest {
				break
			}
			request.IDs = append(request.IDs, e.name)
			request.Embeddings = append(request.Embeddings, e.vector)
			request.Metadatas = append(request.Metadatas, e.metadata)
			request.URIs = append(request.URIs, e.texts)
		}
		if _, err := s.ask(ctx, http.MethodPost, address+"/upsert", request); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// sweep removes the passages of documents that a condition passes.
func (s *Store) sweep(ctx context.Context, names []string, which *condition) error {
	for part := range slices.Chunk(names, piece) {
		request := map[string]any{"where": every(term(sayOf, "$in", part), which).json}
		if _, err := s.ask(ctx, http.MethodPost, s.passages+"/delete", request); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes the documents that have the given ids, and tells how many there
// were when it looked for them.
func (s *Store) Delete(ctx context.Context, ids []string) (deleted int, err error) {
	err = s.write(ctx, "deleting documents", func(ctx context.Context) error {
		names := make([]string, len(ids))
		for i, id := range ids {
			names[i] = nameOf(id)
		}
		found, err := s.read(ctx, names, onlyNames)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(slices.Collect(maps.Keys(found)), piece) {
			if _, err := s.ask(ctx, http.MethodPost, s.documents+"/delete", map[string]any{"ids": part}); err != nil {
				return err
			}
		}
		deleted = len(found)
		// Also of those that are not there: a delete may have been cut off before this.
		return s.sweep(ctx, names, nil)
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
