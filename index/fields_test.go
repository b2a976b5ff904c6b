package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
)

// TestManyFields expects the first names and an indication of more. An empty field name
// is valid.
func TestManyFields(t *testing.T) {
	c, err := Create(t.Context(), t.TempDir(), Options{Dimension: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var all []string
	for i := range engine.MaxFields {
		all = append(all, fmt.Sprintf(`"f%04d": %d`, i, i))
	}
	store := func(metadata string) {
		t.Helper()
		if err := c.Upsert(t.Context(), []engine.Document{{ID: "a", Vector: []float32{1}, Metadata: []byte(metadata)}}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(first string, n int, more bool) {
		t.Helper()
		names, further, err := c.FieldNames(t.Context())
		if err != nil || len(names) != n || further != more || names[0] != first || !slices.IsSorted(names) {
			t.Errorf("%v: %d fields, more: %t", err, len(names), further)
		}
		fields, err := c.Fields(t.Context())
		if err != nil || len(fields.Fields) != n || fields.More != more || fields.Fields[0].Name != first {
			t.Errorf("got %+v and error %v, want %d fields from %q, more %t", fields, err, n, first, more)
		}
	}
	store("{" + strings.Join(all, ",") + "}")
	check("f0000", engine.MaxFields, false)
	store(`{"": 7, ` + strings.Join(all, ",") + "}")
	check("", engine.MaxFields, true)
}

func BenchmarkFields(b *testing.B) {
	c, err := Open(b.Context(), benchCollection(b), Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.Run("names", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := c.FieldNames(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fields after a write", func(b *testing.B) {
		for b.Loop() {
			c.fields.fields = nil
			if _, err := c.Fields(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("facet after a write", func(b *testing.B) {
		for b.Loop() {
			c.fields.counts = nil
			if _, err := fieldstats.Facets(b.Context(), c, []fieldstats.FacetRequest{{Field: "year"}}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("facet again", func(b *testing.B) {
		for b.Loop() {
			if _, err := fieldstats.Facets(b.Context(), c, []fieldstats.FacetRequest{{Field: "year"}}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
