package weaviate

import (
	"context"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// searched are the properties that BM25 can look into.
func (a *Attached) searched() (names []string) {
	for _, name := range []string{a.roles.Text, a.roles.Title} {
		if p := a.class.property(name); p != nil && p.IndexSearchable {
			names = append(names, name)
		}
	}
	return names
}

// search names documents that have some of the words, in the order that BM25 gives them.
func (a *Attached) search(ctx context.Context, wanted [][]string, filter query.Node, n int) (refs []engine.Ref, err error) {
	const doing = "looking for words"
	if err := remote.CheckFilter(filter); err != nil {
		return nil, a.calls.Explain(doing, err)
	}
	f := a.narrow(filter)
	err = a.read(ctx, doing, func(ctx context.Context, h *host) error {
		refs = nil
		request := a.passRequest(filter)
		request.Filters = f.server
		request.Bm25Search = &wire.BM25{Query: strings.Join(slices.Concat(wanted...), " "), Properties: a.searched()}
		_, err := results(ctx, h, request, n, maxPage, func(r *wire.SearchResult) error {
			k, err := keyIn(r)
			if err != nil {
				return err
			}
			passes := true
			if !f.exact {
				passes, err = a.passes(filter, r)
			}
			if passes {
				refs = append(refs, k.ref())
			}
			return err
		})
		return err
	})
	return refs, err
}
