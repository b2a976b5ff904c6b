package milvus

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// List reads up to limit documents, and no more than a thousand, in the order of their keys.
func (s *Attached) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	if err := remote.CheckPage(&page, s.table.isKey); err != nil {
		return nil, page.After, s.calls.Explain(doing, err)
	}
	page.Limit = min(page.Limit, maxPage)
	err = s.calls.Read(ctx, doing, func(ctx context.Context) (err error) {
		docs, mark, err = s.list(ctx, &page)
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

// list reads what passes until there is some of it that is not deleted meanwhile.
func (s *Attached) list(ctx context.Context, page *engine.Page) (docs []engine.Document, mark string, err error) {
	for mark = page.After; len(docs) == 0; {
		var keys []string
		err := s.passingKeys(ctx, page.Filter, mark, page.Limit, func(key string) error {
			if keys = append(keys, key); len(keys) == page.Limit {
				return errEnough
			}
			return nil
		})
		if err != nil || len(keys) == 0 {
			return nil, mark, err
		}
		found, err := s.documents(ctx, page.Portion(), keys, page.Parts)
		if err != nil {
			return nil, mark, err
		}
		mark = keys[len(found)-1]
		docs = slices.DeleteFunc(found, func(d engine.Document) bool { return d.ID == "" })
	}
	return docs, mark, nil
}

// passingKeys are the keys of what passes a filter, in their order, after one.
func (s *Attached) passingKeys(ctx context.Context, filter query.Node, after string, page int, f func(key string) error) error {
	c := s.condition(filter)
	if c.none {
		return ctx.Err()
	}
	fields := []string{s.table.key}
	if !c.exact {
		fields = append(fields, s.judged(filter)...)
	}
	return s.table.pages(ctx, c.text, after, page, fields, func(r *rows) error {
		for i, k := range r.keys {
			if !c.exact {
				passes, err := s.passes(r, i, filter)
				if err != nil {
					return err
				}
				if !passes {
					continue
				}
			}
			if err := f(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// passes reports whether entity i passes a filter.
func (s *Attached) passes(r *rows, i int, filter query.Node) (bool, error) {
	metadata, err := s.metadata(r, i)
	if err != nil {
		return false, err
	}
	return remote.Passes(filter, metadata)
}
