package elastic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Store is an open collection that nsfl manages. It is safe for concurrent use.
type Store struct {
	*remote.Store
	driver  *driver
	encoder string
}

var _ engine.Collection = (*Store)(nil)

func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections. Documents stored with Fill
// become searchable.
func (s *Store) Close() error {
	var err error
	if s.Calls.Options.Fill {
		err = s.Calls.Read(context.Background(), "closing the collection", s.refresh)
		if errors.Is(err, engine.ErrClosed) {
			err = nil
		}
	}
	return errors.Join(err, s.Store.Close())
}

func (s *Store) refresh(ctx context.Context) error {
	return s.driver.ask(ctx, http.MethodPost, "/_refresh", nil, new(struct{}))
}

// The largest piece of a batch, in documents and bytes.
// The server takes a request of 100 MB, unless it is set otherwise.
const pieceDocuments, pieceBytes, maxRecord = 500, 8 << 20, 64 << 20

// action is one line or two of a bulk request.
type action []byte

func store(key string, r *record) (action, error) {
	head, err := remote.Marshal(clause{"index": clause{"_id": key}})
	if err != nil {
		return nil, err
	}
	body, err := remote.Marshal(r)
	return slices.Concat(head, []byte("\n"), body, []byte("\n")), err
}

func remove(key string) (action, error) {
	line, err := remote.Marshal(clause{"delete": clause{"_id": key}})
	return append(line, '\n'), err
}

// Upsert stores documents and replaces those with the same ids. Each document is stored whole
// or not at all, but a failure may leave a part of the batch stored. Repeating it is safe, so Upsert
// retries after errors. A replaced document keeps its Ref.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	actions, err := actionsOf(ctx, docs, s.Dimension)
	if err != nil {
		return s.Calls.Explain(doing, err)
	}
	return s.write(ctx, doing, actions)
}

func actionsOf(ctx context.Context, docs []engine.Document, dim int) ([]action, error) {
	if err := storekit.Check(docs, dim, nil); err != nil { // before anything long is read
		return nil, err
	}
	spelled, err := remote.Spell(ctx, docs)
	if err != nil {
		return nil, err
	}
	actions := make([]action, len(docs))
	return actions, storekit.Check(docs, dim, func(i int) (problem string) {
		d := &docs[i]
		values, err := predicate.Values(d.Metadata)
		if err != nil {
			return err.Error()
		}
		rows, problem := remote.Units(d, dim)
		if problem != "" {
			return problem
		}
		r := &record{
			ID: d.ID, Title: d.Title, Text: d.Text, Metadata: string(d.Metadata), Recorded: d.Passages, Pieces: remote.SpellTokens(spelled[i]),
			Whole: remote.PackVector(rows[0]), Parts: remote.PackVector(slices.Concat(rows[1:]...)), Vector: rows[0], Values: terms(values), Rows: len(rows),
		}
		for _, row := range rows[1:] {
			r.Passages = append(r.Passages, passageData{row})
		}
		if actions[i], err = store(keyOf('d', d.ID), r); err != nil {
			return err.Error()
		}
		if n := len(actions[i]); n > maxRecord {
			return fmt.Sprintf("with its vectors and what its metadata and its words are found by it has %d bytes, at most %d are possible in Elasticsearch: divide it", n, maxRecord)
		}
		return ""
	})
}

func (s *Store) write(ctx context.Context, doing string, actions []action) error {
	pieces := divide(actions)
	return s.Calls.Write(ctx, doing, func(ctx context.Context) error {
		err := workers.Each(ctx, len(pieces), remote.Parallelism, func(ctx context.Context, i int) error {
			return remote.Again(ctx, func(err error) bool { return errors.Is(err, errPartly) }, func() error { return s.put(ctx, pieces[i]) })
		})
		if err != nil || s.Calls.Options.Fill || len(pieces) == 0 {
			return err
		}
		return s.refresh(ctx)
	})
}

func divide(actions []action) (pieces [][]byte) {
	for n := 0; n < len(actions); {
		var piece []byte
		for i := 0; n < len(actions) && (i == 0 || i < pieceDocuments && len(piece)+len(actions[n]) <= pieceBytes); i++ {
			piece = append(piece, actions[n]...)
			n++
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// errPartly is in errors about records that the server may store when it is asked again.
var errPartly = errors.New("the others of the batch may be stored, and storing it again does no harm")

type outcome struct {
	Status int `json:"status"`
	Error  *struct {
		Reason string `json:"reason"`
	} `json:"error"`
}

func (s *Store) put(ctx context.Context, piece []byte) error {
	var answer struct {
		Errors *bool                `json:"errors"`
		Items  []map[string]outcome `json:"items"`
	}
	err := s.driver.ask(ctx, http.MethodPost, "/_bulk", piece, &answer)
	switch {
	case err != nil:
		return err
	case answer.Errors == nil:
		return remote.BadAnswer("it has no result of the bulk request")
	}
	failed, first, passing := 0, "", true
	for _, item := range answer.Items {
		for _, o := range item {
			if o.Error == nil {
				continue
			}
			if failed++; failed == 1 {
				first = o.Error.Reason
			}
			passing = passing && (o.Status == http.StatusTooManyRequests || o.Status >= 500)
		}
	}
	switch {
	case failed == 0:
		return nil
	case passing:
		return fmt.Errorf("%d of %d records are not stored: %.1000s; %w", failed, len(answer.Items), first, errPartly)
	}
	return fmt.Errorf("%d of %d records are not stored: %.1000s; the others may be", failed, len(answer.Items), first)
}

// Delete removes the documents with the given ids and returns the number of documents removed.
// After a failure some may be gone; repeating the call is safe.
func (s *Store) Delete(ctx context.Context, ids []string) (int, error) {
	const doing = "deleting documents"
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	var actions []action
	// The existing documents are found before they are deleted: after a lost connection their
	// number would be unknown.
	err := s.Calls.Write(ctx, doing, func(ctx context.Context) error {
		for some := range slices.Chunk(ids, pieceDocuments) {
			there, err := s.there(ctx, some)
			if err != nil {
				return err
			}
			actions = append(actions, there...)
		}
		return nil
	})
	if err == nil {
		err = s.write(ctx, doing, actions)
	}
	if err != nil {
		return 0, err
	}
	return len(actions), nil
}

func (s *Store) there(ctx context.Context, ids []string) (actions []action, err error) {
	var keys []string
	for _, id := range ids {
		keys = append(keys, keyOf('d', id))
	}
	var answer struct {
		Docs []struct {
			ID    string `json:"_id"`
			Found bool   `json:"found"`
		} `json:"docs"`
	}
	if err := s.driver.ask(ctx, http.MethodPost, "/_mget?_source=false", clause{"ids": keys}, &answer); err != nil {
		return nil, err
	}
	if len(answer.Docs) != len(keys) {
		return nil, remote.BadAnswer("it tells of %d documents, and %d were asked for", len(answer.Docs), len(keys))
	}
	for i, d := range answer.Docs {
		if !d.Found {
			continue
		}
		a, err := remove(keys[i])
		if err != nil {
			return nil, err
		}
		actions = append(actions, a)
	}
	return actions, nil
}

// SetNotes stores texts by name with the collection; an empty text removes one. After a failure
// some may be stored; repeating the call is safe.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := storekit.CheckNotes(notes); err != nil {
		return s.Calls.Explain(doing, err)
	}
	var actions []action
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		key := keyOf('n', name)
		a, err := remove(key)
		if notes[name] != "" {
			a, err = store(key, &record{ID: name, Value: notes[name], Note: true})
		}
		if err != nil {
			return s.Calls.Explain(doing, err)
		}
		actions = append(actions, a)
	}
	return s.write(ctx, doing, actions)
}

func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	var notes map[string]string
	err := s.Calls.Read(ctx, "reading notes", func(ctx context.Context) error {
		notes = map[string]string{}
		r := &request{Size: pageDocuments, Query: allOf(clause{"term": clause{noteField: true}}), Source: []string{"id", "value"}}
		return s.driver.walk(ctx, r, mark{}, math.MaxInt, func(h *hit, _ mark) (bool, error) {
			note, err := h.record()
			if err == nil && strings.HasPrefix(note.ID, prefix) {
				notes[note.ID] = note.Value
			}
			return true, err
		})
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}
