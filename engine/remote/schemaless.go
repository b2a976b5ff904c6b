package remote

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// MaxWords is the number of words that are searched for with one request each.
const MaxWords = 8

// ByRarity returns up to limit documents that meet one of several conditions, for engines
// that find words without ranking documents: those with words that few documents have come
// first. The function find returns up to limit documents that meet a condition.
func ByRarity[C any](ctx context.Context, documents, limit int, conditions []C, find func(context.Context, C) ([]engine.Ref, error)) ([]engine.Ref, error) {
	found := make([][]engine.Ref, len(conditions))
	err := workers.Each(ctx, len(conditions), Parallelism, func(ctx context.Context, i int) (err error) {
		found[i], err = find(ctx, conditions[i])
		return err
	})
	weights := map[engine.Ref]float64{}
	var best []engine.Ref
	for _, refs := range found {
		weight := math.Log1p(float64(documents) / float64(1+len(refs)))
		for _, r := range refs {
			if weights[r] == 0 {
				best = append(best, r)
			}
			weights[r] += weight
		}
	}
	slices.SortFunc(best, func(a, b engine.Ref) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), a.Compare(b)) })
	return best[:min(limit, len(best))], err
}

// NoCollection returns the error for an address without the name of a collection that exists.
// It lists the collections of the server, or says that err prevents it.
func NoCollection(server, problem string, names []string, err error) error {
	const some = 10
	there := "the server has none"
	switch {
	case err != nil:
		there = "the collections of the server cannot be listed"
	case len(names) > some:
		there = "the server has " + strings.Join(names[:some], ", ") + ", …"
	case len(names) > 0:
		there = "the server has " + strings.Join(names, ", ")
	}
	return fmt.Errorf("%s; %s. nsfl creates no collections in %s: store with its own client, and search with ?collection=NAME", problem, there, server)
}

// UnknownField returns the error for a role of a field that no record has.
func UnknownField(server, name string, records int, columns []Column) error {
	var known []string
	for _, c := range columns {
		known = append(known, fmt.Sprintf("%s (%s)", c.Name, c.Type))
	}
	return engine.BadInput("the address of a store in "+server, "none of the %d records that were read has a field %q; there are: %s", records, name, cmp.Or(strings.Join(known, ", "), "no fields"))
}
