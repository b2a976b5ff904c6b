package elastic

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// lists fetches the lists of each of Near, and tells whether they are enough.
func (f *search) lists(ctx context.Context, lists []list, limit int) (remote.State, error) {
	limit = lists[0].oversampled(limit)
	found := make([][2]found, len(f.Near))
	err := each(ctx, len(lists)*len(f.Near), func(ctx context.Context, i int) (err error) {
		j, which := i/len(lists), i%len(lists)
		found[j][which], err = f.list(ctx, &lists[which], f.Vectors[f.Near[j]], limit, &f.Ends[j][which])
		return err
	})
	if err != nil {
		return remote.Short, err
	}
	for j := range found {
		for which := range lists {
			if short, err := f.short(ctx, &lists[which], len(found[j][which].cosines), limit, &f.Ends[j][which]); err != nil || short {
				return remote.Short, err
			}
		}
		if len(lists) == 1 {
			f.Ends[j][1].All = true
		}
	}
	if err := f.read(ctx, lists, found); err != nil {
		return remote.Short, err
	}
	return f.State(0), nil
}

// short finds out whether a list that is shorter than was asked for has all that there is.
func (f *search) short(ctx context.Context, l *list, n, limit int, end *remote.End) (bool, error) {
	if n == limit {
		return false, nil
	}
	all, err := f.count(ctx, allOf(l.all, f.filter.most), &f.lack)
	end.All = n >= all
	return !end.All, err
}

// read compares what lists have, once; what is not remembered is read.
func (f *search) read(ctx context.Context, lists []list, found [][2]found) error {
	var rough []scores
	if lists[0].rough && lists[0].cosine != nil {
		for _, of := range found {
			rough = append(rough, of[0].cosines)
		}
	}
	seen := map[string]bool{}
	var unread []engine.Ref
	for _, of := range found {
		for _, v := range slices.Concat(of[0].versions, of[1].versions) {
			ref := engine.Ref{Key: v.id}
			if seen[v.id] || f.Known(ref) {
				continue
			}
			if seen[v.id] = true; !f.recall(v, rough) {
				unread = append(unread, ref)
			}
		}
	}
	const rounding = 1e-6
	f.Slack = rounding
	return f.visit(ctx, unread, f.request(), &f.lack, func(h *hit) error { return f.compare(h, rough) })
}

// found are the documents of a list, with their cosines by the index.
type found struct {
	versions []version
	cosines  scores
}

// list fetches one, and tells how it ends.
func (f *search) list(ctx context.Context, l *list, v []float32, limit int, end *remote.End) (out found, err error) {
	// More candidates than are wanted, so that the index overlooks fewer.
	const more, least = 2, 200
	knn := clause{"field": l.field, "query_vector": v, "k": limit, "num_candidates": min(max(more*limit, least), maxResults)}
	if f.Filter != nil {
		knn["filter"] = f.filter.most
	}
	a, err := f.search(ctx, &request{Size: limit, Source: false, KNN: knn, Version: true}, &f.lack)
	if err != nil {
		return out, err
	}
	*end = remote.End{Last: 1}
	out.cosines = make(scores, len(a.Hits.Hits))
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		x := *h.Score
		if l.cosine != nil { // of a vector of another length it may be anything
			x = min(max(l.cosine(x), -1), 1)
		}
		out.versions, out.cosines[h.ID], end.Last = append(out.versions, h.version()), x, min(end.Last, x)
	}
	return out, nil
}
