package mcp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/fieldstats"
)

// wishes returns the facets to count for fields.
func wishes(fields []string) (out []fieldstats.FacetRequest) {
	for _, name := range fields {
		out = append(out, fieldstats.FacetRequest{Field: name})
	}
	return out
}

// writeFacet writes the counts of a field as a line.
func writeFacet(b *strings.Builder, f *fieldstats.Facet) {
	fmt.Fprintf(b, "%s, documents that match the filter (of the first 100 results):", f.Field)
	for i, v := range f.Buckets {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %s %d (%d)", cmp.Or(v.Query, v.Value, v.From), v.Count, v.Found)
	}
	if f.Others > 0 {
		fmt.Fprintf(b, ", and %d others", f.Others)
	}
	switch {
	case f.Sampled > 0:
		fmt.Fprintf(b, "; counted in %d of the documents", f.Sampled)
	case f.Approximate:
		b.WriteString("; there are too many values to count each, so counts may be too low")
	}
	b.WriteByte('\n')
}
