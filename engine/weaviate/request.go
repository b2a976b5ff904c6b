package weaviate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// maxResults is how many results Weaviate gives of one search unless it is set
// otherwise (QUERY_MAXIMUM_RESULTS).
const maxResults = 10_000

// maxPage is how many objects are asked for at once.
const maxPage = 1000

// pageBytes is about how much of vectors comes in one message.
const pageBytes = 32 << 20

// ask returns a request for objects.
//
// It asks one replica. With more, Weaviate compares what the replicas have, and
// where one of them is behind it stores there what was found: an object without
// those properties that were not asked for.
func ask(class string) *wire.SearchRequest {
	return &wire.SearchRequest{
		Collection: class, ConsistencyLevel: wire.ConsistencyLevel_CONSISTENCY_LEVEL_ONE, Uses_127Api: true,
		Metadata: &wire.MetadataRequest{Uuid: true},
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

// pages asks for objects in the order of their keys after one, in answers of as many as fit
// into a message, until there are no more or visit needs no more.
func pages(ctx context.Context, request *wire.SearchRequest, after key, limit int, visit func(*wire.SearchResult) (more bool, err error)) error {
	for page := min(maxPage, limit); ; {
		request.Limit, request.After = uint32(page), after.String()
		reply, err := hostOf(ctx).search(ctx, request)
		if tooLarge(err) && page > 1 {
			page /= 2
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
			if more, err := visit(r); err != nil || !more {
				return err
			}
		}
		if len(reply.GetResults()) < page {
			return nil
		}
	}
}

// results visits up to limit results in their order, in as many messages as it takes.
func results(ctx context.Context, request *wire.SearchRequest, limit, page int, visit func(*wire.SearchResult) error) error {
	for n := 0; n < limit; {
		want := min(page, limit-n)
		request.Limit, request.Offset = uint32(want), uint32(n)
		reply, err := hostOf(ctx).search(ctx, request)
		if tooLarge(err) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return err
		}
		for _, r := range reply.GetResults() {
			if err := visit(r); err != nil {
				return err
			}
		}
		if n += len(reply.GetResults()); len(reply.GetResults()) < want {
			return nil
		}
	}
	return nil
}

// ofKeys asks for objects by their keys, in two halves where an answer would be too
// large.
func ofKeys(ctx context.Context, keys []string, request *wire.SearchRequest, visit func(*wire.SearchResult) error) error {
	request = proto.CloneOf(request)
	request.Filters, request.Limit = withKeys(keys), uint32(len(keys))
	reply, err := hostOf(ctx).search(ctx, request)
	if half := len(keys) / 2; tooLarge(err) && half > 0 {
		if err := ofKeys(ctx, keys[:half], request, visit); err != nil {
			return err
		}
		return ofKeys(ctx, keys[half:], request, visit)
	}
	if err != nil {
		return err
	}
	for _, r := range reply.GetResults() {
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}
