package weaviate

import (
	"context"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// List reads up to limit documents, and no more than a thousand, in the order of
// their keys, hashes of their ids. Weaviate cannot go on in that order where there is
// a filter, so that metadata is read and checked here, and then what passes. Where a
// part of the cluster is missing, that is an error.
func (s *Store) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	var after key
	err = pooling.CheckPage(&page, func(mark string) bool {
		after, err = parseKey(mark)
		return err == nil
	})
	if err != nil {
		return nil, page.After, s.calls.Explain(doing, err)
	}
	page.Limit = min(page.Limit, maxPage)
	err = s.read(ctx, doing, func(ctx context.Context, h *host) (err error) {
		at := after
		if page.Filter == nil {
			docs, at, err = s.list(ctx, h, &page, at)
		} else {
			docs, at, err = s.listPassing(ctx, h, &page, at)
		}
		if err != nil {
			return err
		}
		mark = at.String()
		return s.at.intact(ctx, h)
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

func (s *Store) list(ctx context.Context, h *host, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	portion := page.Portion()
	last, err = pages(ctx, h, s.request(page.Parts), after, page.Limit, func(_ key, r *wire.SearchResult) (bool, error) {
		d, err := s.documentIn(r, page.Parts)
		if docs = append(docs, d); err == nil && portion.Add(d) {
			err = errFull
		}
		return true, err
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	return docs, last, err
}

// errFull is that no more documents are to be read for now.
var errFull = errors.New("the portion is full")

// listPassing reads what passes until there is some of it that is not deleted
// meanwhile.
func (s *Store) listPassing(ctx context.Context, h *host, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	for last = after; len(docs) == 0; {
		var refs []engine.Ref
		last, err = pages(ctx, h, ask(s.address.collection, []string{metadataProperty}), last, page.Limit, func(k key, r *wire.SearchResult) (bool, error) {
			passes, err := pooling.Passes(page.Filter, []byte(textIn(r, metadataProperty)))
			if passes {
				refs = append(refs, k.ref())
			}
			return passes, err
		})
		if err != nil || len(refs) == 0 {
			return nil, last, err
		}
		found, err := s.documents(ctx, h, page.Portion(), refs, page.Parts)
		if err != nil {
			return nil, last, err
		}
		if len(found) < len(refs) {
			if last, err = parseKey(refs[len(found)-1].Key); err != nil {
				return nil, last, err
			}
		}
		docs = slices.DeleteFunc(found, func(d engine.Document) bool { return d.ID == "" })
	}
	return docs, last, nil
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
