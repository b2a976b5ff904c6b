package milvus

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// List reads up to limit documents, and no more than a thousand, in the order of their keys.
func (s *Attached) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	if err := pooling.CheckPage(&page, s.table.isKey); err != nil {
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
		fields = s.wanted(engine.Metadata)
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
	return pooling.Passes(filter, metadata)
}

// walked is how many keys are read for a sample: of more entities, it is one of the first
// so many.
const walked = 1 << 20

// sampled is a sample that was drawn.
type sampled struct {
	mu   sync.Mutex
	keys []string // in the order of their hashes
	of   int      // how many documents there were
}

// most is how many keys a sample keeps.
const most = 4096

// Sample are the documents whose keys have the least hashes: so they are in no order at all.
// All keys are read for it, and again when the number of documents has changed by a tenth.
func (s *Attached) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.calls.Read(ctx, "sampling documents", func(ctx context.Context) error {
		size, err := s.size(ctx)
		if err != nil {
			return err
		}
		s.sample.mu.Lock()
		defer s.sample.mu.Unlock()
		if now, then := size.Documents, s.sample.of; 10*abs(now-then) > then || min(n, now) > len(s.sample.keys) && len(s.sample.keys) < most {
			if s.sample.keys, err = s.draw(ctx); err != nil {
				return err
			}
			s.sample.of = now
		}
		for _, k := range s.sample.keys[:max(0, min(n, len(s.sample.keys)))] {
			refs = append(refs, engine.Ref{Key: k})
		}
		return nil
	})
	return refs, err
}

func abs(x int) int { return max(x, -x) }

// draw reads the keys and keeps those with the least hashes.
func (s *Attached) draw(ctx context.Context) ([]string, error) {
	type drawn struct {
		hash [sha256.Size]byte
		key  string
	}
	var all []drawn
	shrink := func(to int) {
		slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(string(a.hash[:]), string(b.hash[:])) })
		all = all[:min(to, len(all))]
	}
	seen := 0
	err := s.passingKeys(ctx, nil, "", maxResults, func(key string) error {
		if all = append(all, drawn{sha256.Sum256([]byte(key)), key}); len(all) == 8*most {
			shrink(most)
		}
		if seen++; seen == walked {
			return errEnough
		}
		return nil
	})
	shrink(most)
	keys := make([]string, len(all))
	for i, d := range all {
		keys[i] = d.key
	}
	return keys, err
}
