package weaviate

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// flatCutoff is how many documents may pass a filter for the server to compare all
// of them rather than go by an index. It holds for each shard.
const flatCutoff = 40_000

// enough reports whether the lists, which were to be so long, have all of the k best
// that the indexes could give; otherwise, whether longer ones are of any use.
func (f *findings) enough(ctx context.Context, h *host, limit int) (enough, hopeless bool, err error) {
	enough = true
	for j := range f.near {
		if f.last[j][0].n < limit {
			whole, err := f.allThereIs(ctx, h, f.last[j][0].n)
			if err != nil || !whole {
				return false, true, err
			}
			continue
		}
		const slack = 1e-6
		best := f.best(j)
		enough = enough && len(best) == f.k && best[f.k-1].similarity+slack >= f.bound(j)
	}
	return enough, false, nil
}

// allThereIs reports whether a list that is shorter than was asked for has all
// documents that pass. It has where the server has compared all of those.
func (f *findings) allThereIs(ctx context.Context, h *host, n int) (bool, error) {
	count, err := f.countPassing(ctx, h, f.filter.server)
	if err != nil {
		return false, err
	}
	return n >= count || f.filter.server != nil && count < flatCutoff, nil
}

// bound is what no document that is in neither list of a vector exceeds.
func (f *findings) bound(j int) float32 {
	wholes, passages := f.last[j][0].last, f.last[j][1].last
	return max(wholes, (wholes+passages)/2)
}

// ranked is a document and how similar it is.
type ranked struct {
	key
	similarity float32
}

// best are the k most similar to one of near, equal ones by Ref.
func (f *findings) best(j int) []ranked {
	all := make([]ranked, 0, len(f.found))
	for k, c := range f.found {
		all = append(all, ranked{k, c[j]})
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.ref(), b.ref()))
	})
	return all[:min(f.k, len(all))]
}

// columns are those of the k best for each of near.
func (f *findings) columns() (*engine.Columns, error) {
	c := &engine.Columns{Similarities: make([][]float32, len(f.vectors))}
	seen := map[engine.Ref]key{}
	for j := range f.near {
		for _, r := range f.best(j) {
			ref := r.ref()
			if other, ok := seen[ref]; ok {
				if other != r.key {
					return nil, errors.New("two documents that are found cannot be told apart by Ref: give one of them another id")
				}
				continue
			}
			seen[ref] = r.key
			c.Refs = append(c.Refs, ref)
			for i := range f.vectors {
				c.Similarities[i] = append(c.Similarities[i], f.found[r.key][len(f.near)+i])
			}
		}
	}
	return c, nil
}
