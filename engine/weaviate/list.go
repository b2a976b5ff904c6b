package weaviate

import (
	"context"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// List reads up to limit documents, and no more than a thousand, in the order of
// their keys, hashes of their ids. Where a part of the cluster is missing, that is an
// error.
func (s *Store) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	return s.listDocuments(ctx, s, page)
}

// Sample are the first documents in the order of their keys, which are hashes: so
// they are in no order at all.
func (s *Store) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.read(ctx, "sampling documents", func(ctx context.Context, h *host) error {
		refs = nil
		_, err := pages(ctx, h, ask(s.address.collection, []string{}), key{}, n, func(k key, _ *wire.SearchResult) (bool, error) {
			refs = append(refs, k.ref())
			return true, nil
		})
		return err
	})
	return refs, err
}

// maxPage is how many objects are asked for at once.
const maxPage = 1000

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
