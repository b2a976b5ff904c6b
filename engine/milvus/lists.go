package milvus

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// lists fetches the list of each of Near, and tells whether they are enough.
func (f *search) lists(ctx context.Context, limit int) (remote.State, error) {
	lists := make([][]hit, len(f.Near))
	err := each(ctx, len(lists), func(ctx context.Context, j int) (err error) {
		lists[j], err = f.table.search(ctx, f.index.target(f.roles.Vector), wire.DataType_FloatVector, packed(f.Vectors[f.Near[j]]), f.where.text, limit)
		return err
	})
	if err != nil {
		return remote.Short, err
	}
	var unread []string
	for _, list := range lists {
		for _, h := range list {
			if f.closes[h.key] == nil {
				unread = append(unread, h.key)
			}
		}
	}
	if err := f.fetch(ctx, unread); err != nil {
		return remote.Short, err
	}
	lacking := false
	for j, list := range lists {
		end, err := f.end(ctx, list, limit)
		if err != nil {
			return remote.Short, err
		}
		f.Ends[j] = [2]remote.End{end, {All: true}}
		lacking = lacking || end == unknownEnd
	}
	// An index that keeps less of vectors than they have is off by as much as it is seen to
	// be off, and perhaps more.
	off := f.off(lists)
	f.Slack = 1e-6 + 2*off
	const uneven = 0.01
	if off > uneven && f.index.metric != cosine {
		f.uneven.Store(true)
		return remote.Short, nil
	}
	if lacking {
		return remote.Short, nil
	}
	return f.State(0), nil
}

// unknownEnd is that of a list that lacks some that there are, whatever they are.
var unknownEnd = remote.End{Last: 1}

// end is how a list ends.
func (f *search) end(ctx context.Context, list []hit, limit int) (remote.End, error) {
	if len(list) >= limit {
		return remote.End{Last: f.index.cosine(list[len(list)-1].score)}, nil
	}
	n, err := f.table.count(ctx, f.where.text)
	if err != nil || len(list) < n {
		return unknownEnd, err
	}
	return remote.End{Last: -1, All: true}, nil
}

// off is how far scores of documents are from their similarities, at most.
func (f *search) off(lists [][]hit) (most float64) {
	for j, list := range lists {
		for _, h := range list {
			if similarities := f.closes[h.key]; similarities != nil {
				most = max(most, math.Abs(f.index.cosine(h.score)-float64(similarities[f.Near[j]])))
			}
		}
	}
	return most
}
