package weaviate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/index"
)

// Size counts. Where a node is away that alone has a part of the documents, those
// are not among them.
func (s *Store) Size(ctx context.Context) (engine.Size, error) {
	var size engine.Size
	err := s.attempt(ctx, "counting documents", s.options.Timeout, func(ctx context.Context, h *host) (err error) {
		size, err = s.count(ctx, h)
		return err
	})
	return size, err
}

func (s *Store) count(ctx context.Context, h *host) (engine.Size, error) {
	size := engine.Size{Dimension: s.settings.Dimension}
	reply, err := h.aggregate(ctx, &wire.AggregateRequest{
		Collection: s.options.Collection, ObjectsCount: true,
		Aggregations: []*wire.AggregateRequest_Aggregation{{
			Property: vectorsProperty,
			Int:      &wire.AggregateRequest_Aggregation_Integer{Sum: true},
		}},
	})
	if err != nil {
		return size, err
	}
	result := reply.GetSingleResult()
	size.Documents = int(result.GetObjectsCount())
	for _, a := range result.GetAggregations().GetAggregations() {
		size.Vectors = int(a.GetInt().GetSum())
	}
	s.documents.Store(int64(size.Documents))
	return size, nil
}

// countPassing counts what passes a filter on the server.
func (s *Store) countPassing(ctx context.Context, h *host, f *wire.Filters) (int, error) {
	reply, err := h.aggregate(ctx, &wire.AggregateRequest{Collection: s.options.Collection, ObjectsCount: true, Filters: f})
	return int(reply.GetSingleResult().GetObjectsCount()), err
}

// Get reads a document by its id. It fails with index.ErrNotFound where there is
// none.
func (s *Store) Get(ctx context.Context, id string) (engine.Document, error) {
	var d engine.Document
	err := s.attempt(ctx, fmt.Sprintf("reading document %q", id), s.options.Timeout, func(ctx context.Context, h *host) error {
		o, err := h.object(ctx, s.path(s.options.Collection, keyOf(id)))
		if isNotFound(err) {
			return index.ErrNotFound
		}
		if err != nil {
			return err
		}
		rows, err := o.rows(s.settings.Dimension)
		if err != nil {
			return err
		}
		d, err = o.Properties.document(rows)
		if err == nil && d.ID != id {
			err = fmt.Errorf("it has the id %.64q: something else has changed it", d.ID)
		}
		return err
	})
	if err != nil {
		return engine.Document{}, err
	}
	return d, nil
}

// Find is the Ref of the document that has an id. It fails with index.ErrNotFound
// where there is none.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	k := keyOf(id)
	err := s.attempt(ctx, fmt.Sprintf("finding document %q", id), s.options.Timeout, func(ctx context.Context, h *host) error {
		there, err := h.exists(ctx, s.path(s.options.Collection, k))
		if err == nil && !there {
			err = index.ErrNotFound
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return k.ref(), nil
}

// ask asks for objects with some properties and vectors.
//
// It asks one replica. With more, Weaviate compares what the replicas have, and
// where one of them is behind it stores there what was found: an object without
// those properties that were not asked for.
func ask(class string, properties []string, vectors ...string) *wire.SearchRequest {
	return &wire.SearchRequest{
		Collection: class, ConsistencyLevel: wire.ConsistencyLevel_CONSISTENCY_LEVEL_ONE, Uses_127Api: true,
		// Without this message all properties would come.
		Properties: &wire.PropertiesRequest{NonRefProperties: properties},
		Metadata:   &wire.MetadataRequest{Uuid: true, Vectors: vectors},
	}
}

// whole asks for all there is of documents.
func (s *Store) whole() *wire.SearchRequest {
	return ask(s.options.Collection, []string{idProperty, titleProperty, textProperty, metadataProperty, passagesProperty}, wholeVector, passageVectors)
}

// documentIn reads a result of a search for whole documents.
func (s *Store) documentIn(r *wire.SearchResult) (key, engine.Document, error) {
	k, err := keyIn(r)
	if err != nil {
		return k, engine.Document{}, err
	}
	rows, err := decodeVectors(r.GetMetadata().GetVectors(), s.settings.Dimension)
	if err != nil {
		return k, engine.Document{}, err
	}
	d, err := storedIn(r).document(rows)
	return k, d, err
}

// tooLarge reports whether an answer, or a question, does not fit into a message.
func tooLarge(err error) bool { return status.Code(err) == codes.ResourceExhausted }

// Documents reads documents. Those of refs that were deleted since are empty; those
// of refs that were replaced are as they are now. Where a document is missing and
// so is a part of the cluster, that is an error.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref) ([]engine.Document, error) {
	const piece = 500
	pieces := slices.Collect(slices.Chunk(slices.Compact(slices.Sorted(slices.Values(refs))), piece))
	docs := make([]engine.Document, len(refs))
	err := s.attempt(ctx, "reading documents", s.options.Timeout, func(ctx context.Context, h *host) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := found{docs: make(map[engine.Ref]engine.Document, len(refs))}
		err := each(ctx, len(pieces), func(ctx context.Context, i int) error { return s.read(ctx, h, pieces[i], &f) })
		if err != nil {
			return err
		}
		missing := false
		for i, r := range refs {
			docs[i] = f.docs[r]
			missing = missing || docs[i].ID == ""
		}
		if missing {
			return s.at.intact(ctx, h)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// found are documents by Ref.
type found struct {
	sync.Mutex
	docs map[engine.Ref]engine.Document
}

// read reads documents by Ref, in two halves where an answer would be too large.
func (s *Store) read(ctx context.Context, h *host, refs []engine.Ref, f *found) error {
	tokens := make([]string, len(refs))
	for i, r := range refs {
		tokens[i] = refToken(r)
	}
	request := s.whole()
	request.Filters = anyOf(tokensProperty, tokens)
	request.Limit = uint32(len(refs) + 1) // one more, so that two of a Ref are seen
	reply, err := h.search(ctx, request)
	if tooLarge(err) && len(refs) > 1 {
		half := len(refs) / 2
		if err := s.read(ctx, h, refs[:half], f); err != nil {
			return err
		}
		return s.read(ctx, h, refs[half:], f)
	}
	if err != nil {
		return err
	}
	for _, r := range reply.GetResults() {
		k, d, err := s.documentIn(r)
		if err != nil {
			return err
		}
		f.Lock()
		other, twice := f.docs[k.ref()]
		f.docs[k.ref()] = d
		f.Unlock()
		if twice && other.ID != d.ID {
			return fmt.Errorf("the documents %.64q and %.64q cannot be told apart by Ref: give one of them another id", other.ID, d.ID)
		}
	}
	return nil
}

// List reads up to limit documents, and no more than a thousand, in the order of
// their keys, hashes of their ids. Where a part of the cluster is missing, that is
// an error.
func (s *Store) List(ctx context.Context, after string, limit int) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	if limit < 1 {
		return nil, after, s.explain(doing, &index.InputError{What: "page", Problem: fmt.Sprintf("%d documents long", limit)})
	}
	from, err := parseKey(after)
	if after != "" && err != nil {
		return nil, after, s.explain(doing, &index.InputError{What: "page", Problem: fmt.Sprintf("%.64q is not the mark of another one", after)})
	}
	mark = after
	err = s.attempt(ctx, doing, s.options.Timeout, func(ctx context.Context, h *host) error {
		docs, mark = nil, after
		err := pages(ctx, h, s.whole(), from, min(limit, maxPage), func(r *wire.SearchResult) error {
			k, d, err := s.documentIn(r)
			docs, mark = append(docs, d), k.String()
			return err
		})
		if err != nil {
			return err
		}
		return s.at.intact(ctx, h)
	})
	if err != nil {
		return nil, after, err
	}
	return docs, mark, nil
}

// maxPage is how many objects are asked for at once.
const maxPage = 1000

// pages asks for objects in the order of their keys, in answers of as many as fit
// into a message, until there are no more or limit have come.
func pages(ctx context.Context, h *host, request *wire.SearchRequest, after key, limit int, visit func(*wire.SearchResult) error) error {
	page := maxPage
	for limit > 0 {
		want := min(page, limit)
		request.Limit, request.After = uint32(want), after.String()
		reply, err := h.search(ctx, request)
		if tooLarge(err) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return err
		}
		for _, r := range reply.GetResults() {
			k, err := keyIn(r)
			if err != nil {
				return err
			}
			if slices.Compare(k[:], after[:]) <= 0 {
				return errors.Join(errors.New("objects do not come in the order of their keys"), errGarbage)
			}
			after = k
			if err := visit(r); err != nil {
				return err
			}
		}
		if limit -= len(reply.GetResults()); len(reply.GetResults()) < want {
			return nil
		}
	}
	return nil
}
