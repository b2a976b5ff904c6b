package milvus

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/query"
)

// bm25 finds entities by words where the collection has a function that makes a sparse
// vector of the text or the title; nil where it has none.
func (s *Attached) bm25(functions []*wire.FunctionSchema) func(context.Context, [][]string, query.Node, int) ([]engine.Ref, error) {
	i := slices.IndexFunc(functions, func(f *wire.FunctionSchema) bool {
		from := f.GetInputFieldNames()
		return f.GetType() == wire.FunctionSchema_BM25 && len(from) == 1 && len(f.GetOutputFieldNames()) == 1 &&
			(from[0] == s.roles.Text || from[0] == s.roles.Title)
	})
	if i < 0 {
		return nil
	}
	at := target{field: functions[i].GetOutputFieldNames()[0], metric: "BM25"}
	return func(ctx context.Context, wanted [][]string, filter query.Node, n int) (refs []engine.Ref, err error) {
		err = s.calls.Read(ctx, "looking for words", func(ctx context.Context) error {
			refs, err = s.saying(ctx, at, wanted, filter, n)
			return err
		})
		return refs, err
	}
}

// saying are the entities that have words and pass a filter, the best first.
func (s *Attached) saying(ctx context.Context, at target, wanted [][]string, filter query.Node, n int) (refs []engine.Ref, err error) {
	where := s.condition(filter)
	if where.none {
		return nil, ctx.Err()
	}
	var words []string
	for _, forms := range wanted {
		words = append(words, forms...)
	}
	hits, err := s.table.search(ctx, at, wire.DataType_VarChar, []byte(strings.Join(words, " ")), where.text, min(n, maxResults))
	if err != nil {
		return nil, err
	}
	passing := func(string) bool { return true }
	if !where.exact {
		if passing, err = s.passingOf(ctx, hits, filter); err != nil {
			return nil, err
		}
	}
	for _, h := range hits {
		if passing(h.key) {
			refs = append(refs, engine.Ref{Key: h.key})
		}
	}
	return refs, nil
}

// passingOf finds out which entities pass a filter.
func (s *Attached) passingOf(ctx context.Context, hits []hit, filter query.Node) (func(key string) bool, error) {
	keys := make([]string, len(hits))
	for i, h := range hits {
		keys[i] = h.key
	}
	var mu sync.Mutex
	pass := map[string]bool{}
	err := s.table.visit(ctx, keys, append(s.judged(filter), s.table.key), maxPage, func(r *rows) error {
		for i, k := range r.keys {
			passes, err := s.passes(r, i, filter)
			if err != nil {
				return err
			}
			mu.Lock()
			pass[k] = passes
			mu.Unlock()
		}
		return nil
	})
	return func(key string) bool { return pass[key] }, err
}
