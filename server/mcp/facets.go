package mcp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/fieldstats"
)

// facet is what documents have of a field.
type facet struct {
	Field  string       `json:"field"`
	Values []facetValue `json:"values" jsonschema:"the most frequent, or ranges"`
	Others int          `json:"others,omitempty" jsonschema:"further values"`
	Note   string       `json:"note,omitempty" jsonschema:"how far the counts can be trusted"`
}

type facetValue struct {
	Value     string `json:"value" jsonschema:"or the beginning of a range"`
	Condition string `json:"condition,omitempty" jsonschema:"for a query, to keep these alone"`
	Count     int    `json:"count" jsonschema:"documents that pass the hard conditions"`
	Found     int    `json:"found" jsonschema:"of the first 100 results"`
}

// facets are those that were asked for.
func facets(all []*fieldstats.Facet) (out []facet) {
	for _, f := range all {
		x := facet{Field: f.Field, Values: []facetValue{}, Others: f.Others}
		for _, b := range f.Buckets {
			x.Values = append(x.Values, facetValue{cmp.Or(b.Value, b.From), b.Query, b.Count, b.Found})
		}
		switch {
		case f.Sampled > 0:
			x.Note = fmt.Sprintf("counted in %d documents, and there are more", f.Sampled)
		case f.Approximate:
			x.Note = "there are so many values that counts may be too low"
		}
		out = append(out, x)
	}
	return out
}

// wishes are the facets of some fields.
func wishes(fields []string) (out []fieldstats.FacetWish) {
	for _, name := range fields {
		out = append(out, fieldstats.FacetWish{Field: name})
	}
	return out
}

func (f *facet) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s, documents that pass the hard conditions (of the first 100 results):", f.Field)
	for i, v := range f.Values {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %s %d (%d)", cmp.Or(v.Condition, v.Value), v.Count, v.Found)
	}
	if f.Others > 0 {
		fmt.Fprintf(b, ", and %d others", f.Others)
	}
	if f.Note != "" {
		fmt.Fprintf(b, "; %s", f.Note)
	}
	b.WriteByte('\n')
}
