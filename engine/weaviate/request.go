package weaviate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// maxResults is how many results Weaviate gives of one search unless it is set
// otherwise (QUERY_MAXIMUM_RESULTS).
const maxResults = 10_000

// maxPage is how many objects are asked for at once.
const maxPage = 1000

// pageBytes is about how much of vectors comes in one message.
const pageBytes = 32 << 20

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

// tooLarge reports whether an answer, or a question, does not fit into a message.
func tooLarge(err error) bool { return status.Code(err) == codes.ResourceExhausted }

// keyIn is the key of a result.
func keyIn(r *wire.SearchResult) (key, error) {
	k, err := parseKey(r.GetMetadata().GetId())
	if err != nil {
		return k, fmt.Errorf("the server has found %w: %w", err, errGarbage)
	}
	return k, nil
}

// pages asks for objects in the order of their keys, in answers of as many as fit
// into a message, until there are no more or limit have been taken. It is the key of
// the last that it has seen.
func pages(ctx context.Context, h *host, request *wire.SearchRequest, after key, limit int, visit func(key, *wire.SearchResult) (taken bool, err error)) (last key, err error) {
	if limit < 1 {
		return after, nil
	}
	for page := min(maxPage, limit); ; {
		request.Limit, request.After = uint32(page), after.String()
		reply, err := h.search(ctx, request)
		if tooLarge(err) && page > 1 {
			page /= 2
			continue
		}
		if err != nil {
			return after, err
		}
		for _, r := range reply.GetResults() {
			k, err := keyIn(r)
			if err != nil {
				return after, err
			}
			if slices.Compare(k[:], after[:]) <= 0 {
				return after, errors.Join(errors.New("objects do not come in the order of their keys"), errGarbage)
			}
			after = k
			taken, err := visit(k, r)
			if err != nil {
				return after, err
			}
			if taken {
				limit--
			}
			if limit <= 0 {
				return after, nil
			}
		}
		if len(reply.GetResults()) < page {
			return after, nil
		}
	}
}

// results visits up to limit results in their order, in as many messages as it takes, and
// tells how many there were.
func results(ctx context.Context, h *host, request *wire.SearchRequest, limit, page int, visit func(*wire.SearchResult) error) (n int, err error) {
	for n < limit {
		want := min(page, limit-n)
		request.Limit, request.Offset = uint32(want), uint32(n)
		reply, err := h.search(ctx, request)
		if tooLarge(err) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return n, err
		}
		for _, r := range reply.GetResults() {
			if err := visit(r); err != nil {
				return n, err
			}
		}
		if n += len(reply.GetResults()); len(reply.GetResults()) < want {
			return n, nil
		}
	}
	return n, nil
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
