package weaviate

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// Documents reads the wanted parts of documents, a portion of them. Where one is missing and
// so is a part of the cluster, that is an error.
func (a *Attached) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = a.read(ctx, "reading documents", func(ctx context.Context, h *host) (err error) {
		docs, err = a.documents(ctx, h, new(engine.Portion), refs, parts)
		if err == nil && slices.ContainsFunc(docs, func(d engine.Document) bool { return d.ID == "" }) {
			err = a.at.intact(ctx, h)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// documents reads the wanted parts of a portion of documents. Those that are not there
// are empty.
func (a *Attached) documents(ctx context.Context, h *host, portion *engine.Portion, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	return remote.Portion(portion, refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
		var mu sync.Mutex
		found := make(map[engine.Ref]engine.Document, len(refs))
		err := a.visit(ctx, h, refs, a.request(parts), func(k key, r *wire.SearchResult) error {
			d, err := a.documentIn(r, parts)
			mu.Lock()
			defer mu.Unlock()
			found[k.ref()] = d
			return err
		})
		docs := make([]engine.Document, len(refs))
		for i, r := range refs {
			docs[i] = found[r]
		}
		return docs, err
	})
}

// List reads up to limit documents, and no more than a thousand, in the order of their
// objects' UUIDs. Weaviate cannot go on in that order where there is a filter, so that what
// the filter needs is read and checked here, and then what passes. Where a part of the
// cluster is missing, that is an error.
func (a *Attached) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	var after key
	err = remote.CheckPage(&page, func(mark string) bool {
		after, err = parseKey(mark)
		return err == nil
	})
	if err != nil {
		return nil, page.After, a.calls.Explain(doing, err)
	}
	page.Limit = min(page.Limit, maxPage)
	err = a.read(ctx, doing, func(ctx context.Context, h *host) (err error) {
		at := after
		if page.Filter == nil {
			docs, at, err = a.list(ctx, h, &page, at)
		} else {
			docs, at, err = a.listPassing(ctx, h, &page, at)
		}
		if err != nil {
			return err
		}
		mark = at.String()
		return a.at.intact(ctx, h)
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

func (a *Attached) list(ctx context.Context, h *host, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	portion := page.Portion()
	last, err = pages(ctx, h, a.request(page.Parts), after, page.Limit, func(_ key, r *wire.SearchResult) (bool, error) {
		d, err := a.documentIn(r, page.Parts)
		if err != nil || d.ID == "" {
			return false, err
		}
		if docs = append(docs, d); portion.Add(d) {
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
func (a *Attached) listPassing(ctx context.Context, h *host, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	for last = after; len(docs) == 0; {
		var refs []engine.Ref
		last, err = pages(ctx, h, a.passRequest(page.Filter), last, page.Limit, func(k key, r *wire.SearchResult) (bool, error) {
			passes, err := a.passes(page.Filter, r)
			if passes {
				refs = append(refs, k.ref())
			}
			return passes, err
		})
		if err != nil || len(refs) == 0 {
			return nil, last, err
		}
		found, err := a.documents(ctx, h, page.Portion(), refs, page.Parts)
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
