package weaviate

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// reader knows how documents are kept in objects.
type reader interface {
	// request asks for the wanted parts of documents, and documentIn reads them.
	request(parts engine.Parts) *wire.SearchRequest
	documentIn(r *wire.SearchResult, parts engine.Parts) (engine.Document, error)
	// passRequest asks for what a filter needs, and passes tells whether it passes.
	passRequest(filter query.Node) *wire.SearchRequest
	passes(filter query.Node, r *wire.SearchResult) (bool, error)
}

// readDocuments reads the wanted parts of a portion of documents.
func (c *cluster) readDocuments(ctx context.Context, by reader, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = c.read(ctx, "reading documents", func(ctx context.Context, h *host) (err error) {
		docs, err = c.documents(ctx, h, by, new(engine.Portion), refs, parts)
		if err == nil && slices.ContainsFunc(docs, func(d engine.Document) bool { return d.ID == "" }) {
			err = c.at.intact(ctx, h)
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
func (c *cluster) documents(ctx context.Context, h *host, by reader, portion *engine.Portion, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	return pooling.Portion(portion, refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
		var mu sync.Mutex
		found := make(map[engine.Ref]engine.Document, len(refs))
		err := c.visit(ctx, h, refs, by.request(parts), func(k key, r *wire.SearchResult) error {
			d, err := by.documentIn(r, parts)
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

// listDocuments reads a page of documents, in the order of their keys. Weaviate cannot go
// on in that order where there is a filter, so that what it needs is read and checked here,
// and then what passes.
func (c *cluster) listDocuments(ctx context.Context, by reader, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	var after key
	err = pooling.CheckPage(&page, func(mark string) bool {
		after, err = parseKey(mark)
		return err == nil
	})
	if err != nil {
		return nil, page.After, c.calls.Explain(doing, err)
	}
	page.Limit = min(page.Limit, maxPage)
	err = c.read(ctx, doing, func(ctx context.Context, h *host) (err error) {
		at := after
		if page.Filter == nil {
			docs, at, err = c.list(ctx, h, by, &page, at)
		} else {
			docs, at, err = c.listPassing(ctx, h, by, &page, at)
		}
		if err != nil {
			return err
		}
		mark = at.String()
		return c.at.intact(ctx, h)
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

func (c *cluster) list(ctx context.Context, h *host, by reader, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	portion := page.Portion()
	last, err = pages(ctx, h, by.request(page.Parts), after, page.Limit, func(_ key, r *wire.SearchResult) (bool, error) {
		d, err := by.documentIn(r, page.Parts)
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
func (c *cluster) listPassing(ctx context.Context, h *host, by reader, page *engine.Page, after key) (docs []engine.Document, last key, err error) {
	for last = after; len(docs) == 0; {
		var refs []engine.Ref
		last, err = pages(ctx, h, by.passRequest(page.Filter), last, page.Limit, func(k key, r *wire.SearchResult) (bool, error) {
			passes, err := by.passes(page.Filter, r)
			if passes {
				refs = append(refs, k.ref())
			}
			return passes, err
		})
		if err != nil || len(refs) == 0 {
			return nil, last, err
		}
		found, err := c.documents(ctx, h, by, page.Portion(), refs, page.Parts)
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
