package enginetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// The fields of all documents are told, each with its kind and with how many have it, also
// after some are gone.
func testFields(t *testing.T, m Maker) {
	docs := m.corpus(60)
	s := m.stored(t, docs)
	checkFields(t, s, docs)
	if m.attached != nil {
		return
	}
	for i := range docs[:6] {
		docs[i].Metadata = []byte(`{"when": "2024-02-2` + string(rune('0'+i)) + `", "tags": ["a", "b"], "in": {"side": "true"}}`)
	}
	upsert(t, s, docs[:6])
	checkFields(t, s, docs)
	must(s.Delete(context.Background(), []string{docs[0].ID, docs[1].ID, docs[2].ID, docs[3].ID, docs[4].ID, docs[5].ID}))(t)
	checkFields(t, s, docs[6:])
}

func checkFields(t *testing.T, s Store, docs []engine.Document) {
	t.Helper()
	got := must(fieldstats.FieldsOf(context.Background(), s))(t)
	if got.Documents != len(docs) || got.More {
		t.Errorf("%d documents were looked at, want %d; more: %t", got.Documents, len(docs), got.More)
	}
	names := got.Names()
	if !slices.IsSorted(names) {
		t.Errorf("not by name: %q", names)
	}
	want := fieldsOf(t, docs)
	for _, f := range got.Fields {
		w, ok := want[f.Name]
		if !ok && f.Documents == 0 { // a column that no document has
			continue
		}
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
		values := valuesOf(t, &d)
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

// Values are counted in all documents that pass, as conditions see them.
func testFacets(t *testing.T, m Maker) {
	docs := m.corpus(60)
	s := m.stored(t, docs)
	checkFacets(t, s, docs)
	if m.attached != nil {
		return
	}
	must(s.Delete(context.Background(), []string{docs[0].ID, docs[7].ID}))(t)
	checkFacets(t, s, slices.Concat(docs[1:7], docs[8:]))
}

func checkFacets(t *testing.T, s Store, docs []engine.Document) {
	t.Helper()
	wishes := []fieldstats.FacetRequest{{Field: "n", Size: 5}, {Field: "even"}, {Field: "name"}, {Field: "tags", Size: 4}, {Field: "place.city"}, {Field: "score", Size: 100}, {Field: "missing"}}
	for _, filter := range []query.Node{
		nil,
		&query.Predicate{Field: "n", Op: query.Greater, Value: "20"},
		&query.Not{X: &query.Predicate{Field: "even", Value: "true"}},
		&query.Predicate{Field: "n", Op: query.Less, Value: "0"},
	} {
		facets := must(fieldstats.Facets(context.Background(), s, wishes, filter))(t)
		for i, f := range facets {
			checkFacet(t, f, wishes[i], passing(t, docs, filter))
		}
	}
}

// checkFacet compares a facet with the documents.
func checkFacet(t *testing.T, f *fieldstats.Facet, wish fieldstats.FacetRequest, docs []engine.Document) {
	t.Helper()
	if f.Field != wish.Field || f.Sampled != 0 || f.Approximate || wish.Size > 0 && len(f.Buckets) > wish.Size {
		t.Errorf("%+v, want %+v", f, wish)
	}
	distinct := map[string]bool{}
	for i := range docs {
		values := valuesOf(t, &docs[i])
		f.Find(values)
		for _, v := range values {
			if v.Field == f.Field {
				distinct[v.Text] = true
			}
		}
	}
	if ranges := len(f.Buckets) > 0 && f.Buckets[0].From != ""; !ranges && len(f.Buckets)+f.Others != len(distinct) {
		t.Errorf("%s: %d values and %d others, want %d", f.Field, len(f.Buckets), f.Others, len(distinct))
	}
	for _, b := range f.Buckets {
		if b.Count == 0 || b.Count != b.Found {
			t.Errorf("%s: %+v, of %d documents", f.Field, b, len(docs))
		}
	}
}
