package chroma

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// Upsert stores documents, in place of those that have their ids. It may be
// repeated, and is where a connection is lost. A document keeps its Ref. Batches of
// some hundred documents are good.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(docs, s.dim)
	if err != nil {
		return s.explain(doing, err)
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
	refs := make([]engine.Ref, len(rows))
	for i := range rows {
		refs[i] = rows[i].ref
	}
	old, err := s.read(ctx, refs, onlySaid)
	if err != nil {
		return err
	}
	version := newVersion()
	var documents, passages []entry
	for i := range rows {
		r := &rows[i]
		before := old[r.ref]
		if before != nil && before.ID != r.ID {
			return r.refused(i, sameRef(before.ID))
		}
		e, err := r.entry(version, before)
		if err == nil && e.size() > maxRequest {
			return r.refused(i, fmt.Sprintf("with its vectors it is %d bytes to send, at most %d are possible", e.size(), maxRequest))
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
	s.count.Add(int64(len(rows) - len(old)))
	return s.sweep(ctx, refs, term(sayVersion, "$ne", version))
}

// newVersion is a number that no version of a document has had.
func newVersion() int64 {
	var b [8]byte
	rand.Read(b[:])
	return int64(binary.BigEndian.Uint64(b[:]) >> 1)
}

// entry is a record as it is sent.
type entry struct {
	name                    string
	vector, metadata, texts json.RawMessage
}

func (e *entry) size() int { return len(e.name) + len(e.vector) + len(e.metadata) + len(e.texts) + 16 }

func newEntry(name string, vector []float32, metadata map[string]any, texts any) (e entry, err error) {
	e.name = name
	if e.vector, err = marshal(vector); err != nil {
		return e, err
	}
	if e.metadata, err = marshal(metadata); err != nil {
		return e, err
	}
	e.texts = json.RawMessage("null")
	if texts != nil {
		var inner []byte
		if inner, err = marshal(texts); err == nil {
			e.texts, err = marshal(string(inner))
		}
	}
	return e, err
}

// entry is the document's record. Chroma keeps what the one before says and this
// one does not, so that it says of those keys that they are gone.
func (r *row) entry(version int64, before *record) (entry, error) {
	m := map[string]any{
		sayID: r.ID, sayRef: int64(r.ref), sayVersion: version, sayVectors: pack(r.vectors), sayMetadata: string(r.Metadata),
	}
	for key, value := range r.keys {
		m[key] = value
	}
	if before != nil {
		for key := range before.said {
			if _, ok := m[key]; !ok {
				m[key] = nil
			}
		}
	}
	b := body{Version: version, Title: r.Title, Text: r.Text}
	for _, p := range r.Passages {
		b.Passages = append(b.Passages, p.Text)
	}
	return newEntry(nameOf(r.ref), r.vectors[0], m, b)
}

// passage is the record of the i-th vector. It has the document's keys, so that
// conditions say the same of it.
func (r *row) passage(version int64, i int) (entry, error) {
	m := map[string]any{sayRef: int64(r.ref), sayVersion: version}
	for key, value := range r.keys {
		m[key] = value
	}
	return newEntry(passageName(r.ref, version, i-1), r.vectors[i], m, nil)
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
func (s *Store) sweep(ctx context.Context, refs []engine.Ref, which *condition) error {
	for part := range slices.Chunk(refs, page) {
		numbers := make([]int64, len(part))
		for i, r := range part {
			numbers[i] = int64(r)
		}
		request := map[string]any{"where": every(term(sayRef, "$in", numbers), which).json}
		if _, err := s.ask(ctx, http.MethodPost, s.passages+"/delete", request); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes the documents that have the given ids, and tells how many there
// were when it looked for them.
func (s *Store) Delete(ctx context.Context, ids []string) (int, error) {
	deleted := 0
	err := s.write(ctx, "deleting documents", func(ctx context.Context) error {
		refs := make([]engine.Ref, len(ids))
		of := make(map[engine.Ref]string, len(ids))
		for i, id := range ids {
			refs[i] = refOf(id)
			of[refs[i]] = id
		}
		found, err := s.read(ctx, refs, onlySaid)
		if err != nil {
			return err
		}
		var gone []engine.Ref
		for ref, r := range found {
			if r.ID == of[ref] {
				gone = append(gone, ref)
			}
		}
		for part := range slices.Chunk(gone, page) {
			names := make([]string, len(part))
			for i, r := range part {
				names[i] = nameOf(r)
			}
			if _, err := s.ask(ctx, http.MethodPost, s.documents+"/delete", map[string]any{"ids": names}); err != nil {
				return err
			}
		}
		deleted = len(gone)
		s.count.Add(-int64(deleted))
		// Also of those that are not there: a delete may have been cut off before this.
		return s.sweep(ctx, refs, nil)
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
