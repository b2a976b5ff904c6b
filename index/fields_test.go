package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/predicate"
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

// TestFields checks the fields of all documents against a plain definition: their kinds, and how
// many documents have them, also after some are gone.
func TestFields(t *testing.T) {
	c, err := Create(t.Context(), t.TempDir(), Options{Dimension: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	store := func(docs []engine.Document) {
		t.Helper()
		if err := c.Upsert(t.Context(), docs); err != nil {
			t.Fatal(err)
		}
		checkFields(t, c, docs)
	}
	docs := make([]engine.Document, 60)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint("id-", i), Vector: []float32{1}, Metadata: fmt.Appendf(nil, `{"n": %d, "even": %t}`, i, i%2 == 0)}
	}
	store(docs)
	for i := range docs[:6] {
		docs[i].Metadata = fmt.Appendf(nil, `{"when": "2024-02-2%d", "tags": ["a", "b"], "in": {"side": "true"}}`, i)
	}
	store(docs)
	if _, err := c.Delete(t.Context(), []string{"id-0", "id-1", "id-2", "id-3", "id-4", "id-5"}); err != nil {
		t.Fatal(err)
	}
	checkFields(t, c, docs[6:])
}

func checkFields(t *testing.T, c *Collection, docs []engine.Document) {
	t.Helper()
	got, err := fieldstats.FieldsOf(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got.Documents != len(docs) || got.More {
		t.Errorf("%d documents were looked at, want %d; more: %t", got.Documents, len(docs), got.More)
	}
	names := got.Names()
	if !slices.IsSorted(names) {
		t.Errorf("not by name: %q", names)
	}
	want := fieldsOf(t, docs)
	for _, f := range got.Fields {
		w := want[f.Name]
		delete(want, f.Name)
		if f.Kind != w.Kind || f.List != w.List || f.Documents != w.Documents || !sameValue(f.Least, w.Least) || !sameValue(f.Most, w.Most) {
			t.Errorf("%+v, want %+v", f, w)
		}
		for _, v := range f.Values {
			if !slices.ContainsFunc(w.Values, func(x string) bool { return sameValue(x, v) }) {
				t.Errorf("%s: no document has %q", f.Name, v)
			}
		}
	}
	for name := range want {
		t.Errorf("the field %q is missing from %q", name, names)
	}
}

// fieldsOf are the fields of documents, by a plain definition; of values all.
func fieldsOf(t *testing.T, docs []engine.Document) map[string]engine.Field {
	t.Helper()
	out := map[string]engine.Field{}
	all := map[string][]predicate.Value{}
	for _, d := range docs {
		values, err := predicate.Values(d.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		each := map[string]int{}
		for _, v := range values {
			each[v.Field]++
			all[v.Field] = append(all[v.Field], v)
		}
		for name, n := range each {
			f := out[name]
			f.Documents++
			f.List = f.List || n > 1
			out[name] = f
		}
	}
	for name, values := range all {
		f := out[name]
		is := func(holds func(predicate.Value) bool) bool {
			return !slices.ContainsFunc(values, func(v predicate.Value) bool { return !holds(v) })
		}
		switch {
		case is(func(v predicate.Value) bool { return v.IsNumber }):
			slices.SortFunc(values, predicate.Compare)
			f.Kind, f.Least, f.Most = engine.Number, values[0].Text, values[len(values)-1].Text
		case !is(func(v predicate.Value) bool { return !v.IsNumber }):
			f.Kind = engine.Mixed
		case is(func(v predicate.Value) bool { return v.Text == "true" || v.Text == "false" }):
			f.Kind = engine.Bool
		case is(func(v predicate.Value) bool { return strings.HasPrefix(v.Text, "2024-02-2") }): // the only times in here
			slices.SortFunc(values, predicate.Compare)
			f.Kind, f.Least, f.Most = engine.Time, values[0].Text, values[len(values)-1].Text
		default:
			f.Kind = engine.String
		}
		for _, v := range values {
			f.Values = append(f.Values, v.Text)
		}
		out[name] = f
	}
	return out
}

// sameValue reports whether two texts are one, or one number.
func sameValue(a, b string) bool {
	x, ok := predicate.ParseNumber(a)
	y, also := predicate.ParseNumber(b)
	return a == b || ok && also && x == y
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
