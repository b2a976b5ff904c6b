package weaviate

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// Size counts. Where a node is away that alone has a part of the documents, those
// are not among them.
func (s *Store) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.read(ctx, "counting documents", func(ctx context.Context, h *host) (err error) {
		size, err = s.size(ctx, h)
		return err
	})
	return size, err
}

// size is as it was counted some seconds ago at most.
func (s *Store) size(ctx context.Context, h *host) (engine.Size, error) {
	return s.calls.Size.Get(ctx, func(ctx context.Context) (engine.Size, error) { return s.count(ctx, h) })
}

func (s *Store) count(ctx context.Context, h *host) (engine.Size, error) {
	size := engine.Size{Dimension: s.dim}
	reply, err := h.aggregate(ctx, &wire.AggregateRequest{
		Collection: s.address.collection, ObjectsCount: true,
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
	return size, nil
}

// countPassing counts what passes a filter on the server.
func (s *Store) countPassing(ctx context.Context, h *host, f *wire.Filters) (int, error) {
	reply, err := h.aggregate(ctx, &wire.AggregateRequest{Collection: s.address.collection, ObjectsCount: true, Filters: f})
	return int(reply.GetSingleResult().GetObjectsCount()), err
}

// Get reads the wanted parts of a document by its id.
func (s *Store) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	var d engine.Document
	err := s.read(ctx, fmt.Sprintf("reading document %.80q", id), func(ctx context.Context, h *host) error {
		o, err := h.object(ctx, s.path(s.address.collection, keyOf(id)))
		if isNotFound(err) {
			return engine.ErrNotFound
		}
		if err != nil {
			return err
		}
		stored, err := o.stored(s.dim)
		if err != nil {
			return err
		}
		d, err = stored.Document(parts)
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

// Find is the Ref of the document that has an id.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	k := keyOf(id)
	err := s.read(ctx, fmt.Sprintf("finding document %.80q", id), func(ctx context.Context, h *host) error {
		there, err := h.exists(ctx, s.path(s.address.collection, k))
		if err == nil && !there {
			err = engine.ErrNotFound
		}
		return err
	})
	if err != nil {
		return engine.Ref{}, err
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

// request asks for the wanted parts of documents.
func (s *Store) request(parts engine.Parts) *wire.SearchRequest {
	properties, vectors := []string{idProperty}, []string{}
	for _, p := range []struct {
		parts engine.Parts
		name  string
	}{
		{engine.Titles, titleProperty}, {engine.Texts, textProperty}, {engine.Metadata, metadataProperty},
		{engine.Texts | engine.PassageVectors, passagesProperty}, // how many passages there are is with their texts
	} {
		if parts.Has(p.parts) {
			properties = append(properties, p.name)
		}
	}
	if s.placed && parts.Has(engine.Texts) {
		properties = append(properties, placesProperty)
	}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		vectors = append(vectors, wholeVector)
	}
	if parts.Has(engine.PassageVectors) {
		vectors = append(vectors, passageVectors)
	}
	return ask(s.address.collection, properties, vectors...)
}

// documentIn reads a result of a request for the wanted parts.
func (s *Store) documentIn(r *wire.SearchResult, parts engine.Parts) (engine.Document, error) {
	stored, err := s.storedIn(r, parts)
	if err != nil {
		return engine.Document{}, err
	}
	return stored.Document(parts)
}

// passRequest asks for metadata.
func (s *Store) passRequest(query.Node) *wire.SearchRequest {
	return ask(s.address.collection, []string{metadataProperty})
}

func (s *Store) passes(filter query.Node, r *wire.SearchResult) (bool, error) {
	return pooling.Passes(filter, []byte(textIn(r, metadataProperty)))
}

// tooLarge reports whether an answer, or a question, does not fit into a message.
func tooLarge(err error) bool { return status.Code(err) == codes.ResourceExhausted }

// Documents reads the wanted parts of documents, a portion of them. Those of refs that
// were deleted since are empty; those of refs that were replaced are as they are now.
// Where a document is missing and so is a part of the cluster, that is an error.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	return s.readDocuments(ctx, s, refs, parts)
}

// visit asks for the objects of refs, in several messages at the same time.
func (c *cluster) visit(ctx context.Context, h *host, refs []engine.Ref, request *wire.SearchRequest, f func(key, *wire.SearchResult) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var keys []string
	for _, r := range refs {
		if _, err := parseKey(r.Key); err == nil {
			keys = append(keys, r.Key)
		}
	}
	slices.Sort(keys)
	const piece = 500
	pieces := slices.Collect(slices.Chunk(slices.Compact(keys), piece))
	return each(ctx, len(pieces), func(ctx context.Context, i int) error { return ofKeys(ctx, h, pieces[i], request, f) })
}

// ofKeys asks for objects by their keys, in two halves where an answer would be too
// large.
func ofKeys(ctx context.Context, h *host, keys []string, request *wire.SearchRequest, f func(key, *wire.SearchResult) error) error {
	request = proto.CloneOf(request)
	request.Filters, request.Limit = anyOf(keyProperty, keys), uint32(len(keys))
	reply, err := h.search(ctx, request)
	if half := len(keys) / 2; tooLarge(err) && half > 0 {
		if err := ofKeys(ctx, h, keys[:half], request, f); err != nil {
			return err
		}
		return ofKeys(ctx, h, keys[half:], request, f)
	}
	if err != nil {
		return err
	}
	for _, r := range reply.GetResults() {
		k, err := keyIn(r)
		if err == nil {
			err = f(k, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
