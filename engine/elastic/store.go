package elastic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// form is how an index keeps documents: ours, or that of whoever has made it.
type form interface {
	// documents is what all documents answer to.
	documents() clause
	// lists are the vectors that candidates are found by: those of documents and, where
	// there are any, those of passages. None: the index finds nothing by vectors.
	lists() []list
	// vectors is the field that has how many vectors a document has; empty: one.
	vectors() string
	// ask asks for some parts of documents.
	ask(r *request, parts engine.Parts)
	// stored reads them.
	stored(h *hit, parts engine.Parts) (*remote.Stored, error)
	// key is the _id of the document that has an id; empty: none has it.
	key(id string) string
	// predicate is what narrows a search to what satisfies p.
	predicate(p *query.Predicate) bounds
}

// reader is what is done to an index, whoever has made it, that changes nothing.
type reader struct {
	*client
	calls  remote.Calls
	form   form
	dim    int
	shards int
	reach  remote.Reach
	recent remembered
	// few documents are compared without an index whose order is not that of cosines, and at
	// most so many are read for one search where no index leads to them.
	few, most int
}

// Close waits for the calls in progress and closes the connections.
func (s *reader) Close() error {
	return s.calls.Close(func() error {
		s.http.CloseIdleConnections()
		return nil
	})
}

// Size counts.
func (s *reader) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.size(ctx)
		return err
	})
	return size, err
}

// size is as it was counted some seconds ago at most.
func (s *reader) size(ctx context.Context) (engine.Size, error) {
	return s.calls.Size.Get(ctx, func(ctx context.Context) (engine.Size, error) {
		r := &request{Query: allOf(s.form.documents()), Source: false, Count: true}
		const sum = "vectors"
		if field := s.form.vectors(); field != "" {
			r.Sum = clause{sum: clause{"sum": clause{"field": field}}}
		}
		a, err := s.search(ctx, r, new(lack))
		if err != nil {
			return engine.Size{}, err
		}
		size := engine.Size{Documents: a.Hits.Total.Value, Vectors: a.Hits.Total.Value, Dimension: s.dim}
		if r.Sum != nil {
			size.Vectors = int(a.Sums[sum].Value)
		}
		return size, nil
	})
}

// Find is the Ref of the document that has an id.
func (s *reader) Find(ctx context.Context, id string) (ref engine.Ref, err error) {
	err = s.calls.Read(ctx, fmt.Sprintf("finding document %.80q", id), func(ctx context.Context) error {
		ref, _, err = s.get(ctx, id, engine.NoParts)
		return err
	})
	return ref, err
}

// Get reads the wanted parts of a document by its id.
func (s *reader) Get(ctx context.Context, id string, parts engine.Parts) (d engine.Document, err error) {
	err = s.calls.Read(ctx, fmt.Sprintf("reading document %.80q", id), func(ctx context.Context) error {
		_, d, err = s.get(ctx, id, parts)
		return err
	})
	return d, err
}

func (s *reader) get(ctx context.Context, id string, parts engine.Parts) (engine.Ref, engine.Document, error) {
	ref := engine.Ref{Key: s.form.key(id)}
	docs, err := s.documents(ctx, new(engine.Portion), []engine.Ref{ref}, parts)
	switch {
	case err != nil:
		return engine.Ref{}, engine.Document{}, err
	case docs[0].ID == "":
		return engine.Ref{}, engine.Document{}, engine.ErrNotFound
	case docs[0].ID != id:
		return engine.Ref{}, engine.Document{}, fmt.Errorf("it has the id %.64q: something else has changed it", docs[0].ID)
	}
	return ref, docs[0], nil
}

// Documents reads the wanted parts of documents, a portion of them. Those of refs that were
// deleted since are empty; those of refs that were replaced are as they are now.
func (s *reader) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = s.calls.Read(ctx, "reading documents", func(ctx context.Context) (err error) {
		docs, err = s.documents(ctx, new(engine.Portion), refs, parts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

func (s *reader) documents(ctx context.Context, portion *engine.Portion, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	return remote.Portion(portion, refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
		var mu sync.Mutex
		found := make(map[string]engine.Document, len(refs))
		err := s.visit(ctx, refs, s.request(parts), nil, func(h *hit) error {
			stored, err := s.form.stored(h, parts)
			if err != nil {
				return err
			}
			d, err := stored.Document(parts)
			mu.Lock()
			defer mu.Unlock()
			found[h.ID] = d
			return err
		})
		docs := make([]engine.Document, len(refs))
		for i, r := range refs {
			docs[i] = found[r.Key]
		}
		return docs, err
	})
}

// visit asks for the documents of refs what r asks for, so many at once, in several
// requests at the same time.
func (s *reader) visit(ctx context.Context, refs []engine.Ref, r *request, l *lack, f func(*hit) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var keys []string
	for _, r := range refs {
		if r.Key != "" {
			keys = append(keys, r.Key)
		}
	}
	slices.Sort(keys)
	pieces := slices.Collect(slices.Chunk(slices.Compact(keys), r.Size))
	return each(ctx, len(pieces), func(ctx context.Context, i int) error { return s.ofKeys(ctx, pieces[i], *r, l, f) })
}

// ofKeys asks for documents by their keys, in two halves where an answer would be too long.
func (s *reader) ofKeys(ctx context.Context, keys []string, r request, l *lack, f func(*hit) error) error {
	r.Size, r.Query = len(keys), allOf(clause{"ids": clause{"values": keys}}, s.form.documents())
	a, err := s.search(ctx, &r, l)
	if half := len(keys) / 2; errors.Is(err, errLarge) && half > 0 {
		if err := s.ofKeys(ctx, keys[:half], r, l, f); err != nil {
			return err
		}
		return s.ofKeys(ctx, keys[half:], r, l, f)
	}
	if err != nil {
		return err
	}
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		if _, asked := slices.BinarySearch(keys, h.ID); !asked {
			return &formError{fmt.Sprintf("it has the document %.64q, which was not asked for", h.ID)}
		}
		if err := f(h); err != nil {
			return err
		}
	}
	return nil
}

// request asks for parts of documents, of as many as an answer is to have.
func (s *reader) request(parts engine.Parts) *request {
	r := &request{Size: pageDocuments}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		const bytes, digits = 8 << 20, 12
		r.Size = max(1, min(r.Size, bytes/(digits*s.dim)))
	}
	s.form.ask(r, parts)
	return r
}

// pageDocuments is how many documents are asked for at once.
const pageDocuments = 1000

// ranked asks for what r asks for of the documents that match best, up to limit, among those
// that may pass a filter.
func (s *reader) ranked(ctx context.Context, r *request, match clause, f *filter, limit int, l *lack, visit func(*hit) error) error {
	r.Query = allOf(s.form.documents(), f.most)
	r.Query["bool"].(clause)["must"] = match
	for limit = min(limit, maxResults); r.From < limit; {
		r.Size = min(r.Size, limit-r.From)
		a, err := s.search(ctx, r, l)
		if errors.Is(err, errLarge) && r.Size > 1 {
			r.Size /= 2
			continue
		}
		if err != nil {
			return err
		}
		for i := range a.Hits.Hits {
			if err := visit(&a.Hits.Hits[i]); err != nil {
				return err
			}
		}
		if len(a.Hits.Hits) < r.Size {
			return nil
		}
		r.From += r.Size
	}
	return nil
}
