package retrieve

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// foundIn is the number of top results that facets count separately.
const foundIn = 100

// wishedFacets parses facets from a flag: fields separated by commas, each with an optional
// number of values, as in kind,year:20.
type wishedFacets struct{ wishes *[]fieldstats.FacetRequest }

// UnmarshalText parses the facets.
func (w wishedFacets) UnmarshalText(text []byte) error {
	*w.wishes = []fieldstats.FacetRequest{}
	for part := range strings.SplitSeq(string(text), ",") {
		field, size, sized := strings.Cut(strings.TrimSpace(part), ":")
		wish := fieldstats.FacetRequest{Field: field}
		if sized {
			var err error
			if wish.Size, err = strconv.Atoi(size); err != nil {
				return fmt.Errorf("%q is not a number of values", size)
			}
		}
		if field != "" {
			*w.wishes = append(*w.wishes, wish)
		}
	}
	return nil
}

// checkFacets returns an error if a facet request is invalid.
func checkFacets(wishes []fieldstats.FacetRequest) error {
	if len(wishes) > fieldstats.MaxFacets {
		return badOption("%d facets are wanted: at most %d are possible", len(wishes), fieldstats.MaxFacets)
	}
	for _, w := range wishes {
		if w.Field == "" || w.Size < 0 || w.Size > fieldstats.MaxFacetSize {
			return badOption("%d values of the facet %q are wanted: name a field, and at most %d values", w.Size, w.Field, fieldstats.MaxFacetSize)
		}
	}
	return nil
}

// facets counts field values among the documents that pass the filter and among the top
// results.
func (s *Searcher) facets(ctx context.Context, c *Candidates, ranking *Ranking, budget *byteBudget) ([]*fieldstats.Facet, error) {
	const each = 16 << 20 // estimated memory per facet
	if err := draw(ctx, each*int64(len(c.Options.Facets))); err != nil {
		return nil, err
	}
	out, err := fieldstats.Facets(ctx, s.Store, c.Options.Facets, c.Formula.Filter)
	if err != nil {
		return nil, err
	}
	var refs []engine.Ref
	for _, line := range ranking.Lines[:min(len(ranking.Lines), foundIn)] {
		refs = append(refs, c.Refs[line])
	}
	err = engine.Visit(ctx, s.Store, refs, engine.Metadata, func(_ int, d *engine.Document) {
		values, problem := predicate.Values(d.Metadata)
		if problem != nil { // metadata written by other programs may not be an object
			return
		}
		for _, f := range out {
			f.Find(values)
		}
	})
	for _, f := range out {
		bytes := 3*fieldBytes + jsonBytes(f.Field)
		for i := range f.Buckets {
			b := &f.Buckets[i]
			bytes += 4*fieldBytes + jsonBytes(b.Value) + jsonBytes(b.From) + jsonBytes(b.To) + jsonBytes(b.Query)
		}
		budget.take(bytes)
	}
	return out, err
}
