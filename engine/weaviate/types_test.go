package weaviate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// Properties of every type become metadata, and filters mean of them what they mean
// everywhere, however much of that the server can tell.
func TestTypes(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := collection(t, c)
	property := func(name, kind string, more ...any) map[string]any {
		p := map[string]any{"name": name, "dataType": []string{kind}}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	post(t, c, "schema", map[string]any{"class": name, "vectorizer": "none", "properties": []any{
		property("body", "text"), property("words", "text", "tokenization", "word"), property("exact", "text", "tokenization", "field"), property("hidden", "text", "indexFilterable", false),
		property("tags", "text[]", "tokenization", "word"), property("count", "int"), property("counts", "int[]"), property("price", "number"), property("prices", "number[]"),
		property("ok", "boolean"), property("oks", "boolean[]"), property("day", "date"), property("days", "date[]"), property("key", "uuid"), property("keys", "uuid[]"),
		property("made", "object", "nestedProperties", []any{property("by", "text"), property("year", "int"), property("inner", "object", "nestedProperties", []any{property("x", "number")})}),
		property("parts", "object[]", "nestedProperties", []any{property("by", "text")}), property("spot", "geoCoordinates"), property("picture", "blob"),
	}}, nil)
	metadata := []string{
		`{"words": "The quick brown fox", "exact": "The quick brown fox", "hidden": "fox", "tags": ["red car", "blue"], "count": 7, "counts": [1, 20], "price": 1.5, "prices": [0.5, 2], "ok": true, "oks": [true, false], "day": "2020-04-01T00:30:00+02:00", "days": ["2020-04-01T00:00:00Z", "2021-01-01T12:00:00.5Z"], "key": "0a1b2c3d-0000-4000-8000-00000000000a", "keys": ["0a1b2c3d-0000-4000-8000-00000000000a"], "made": {"by": "Ann", "year": 1999, "inner": {"x": 0.25}}, "parts": [{"by": "Bob"}, {"by": "Cy"}]}`,
		`{"words": "quick", "exact": "quick", "tags": ["red"], "count": -3, "price": -2, "ok": false, "day": "2020-03-31T22:30:00Z", "made": {"by": "Bob"}}`,
		`{"words": "the", "exact": " the ", "count": 0, "counts": [], "price": 0, "day": "1999-12-31T23:59:59Z"}`,
		`{"words": "10", "exact": "10.0", "count": 10, "price": 10, "ok": true, "tags": ["10"]}`,
		``,
	}
	for i := range 40 {
		metadata = append(metadata, fmt.Sprintf(`{"words": "w%d fox", "exact": "e%d", "count": %d, "price": %d.5, "ok": %t, "day": "20%02d-06-15T08:00:00Z"}`, i%7, i%5, i, i-20, i%2 == 0, i))
	}
	var things []thing
	ids := map[string]string{}
	for i, m := range metadata {
		fields := map[string]any{}
		if m != "" {
			if err := json.Unmarshal([]byte(m), &fields); err != nil {
				t.Fatal(err)
			}
		}
		fields["body"], fields["picture"] = "text", "aGVsbG8="
		id := keyOf(fmt.Sprint(i)).String()
		ids[id] = m
		things = append(things, thing{"class": name, "id": id, "properties": fields, "vector": []float32{1, float32(i)}})
	}
	put(t, c, things)
	d, s, err := open(ctx, c.URL()+"&collection="+name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for d, err := range engine.All(ctx, s, engine.Page{Limit: 7, Parts: engine.Metadata}) {
		want := ids[d.ID]
		if err != nil || !sameValues(t, d.Metadata, []byte(cmp.Or(want, "{}"))) {
			t.Errorf("%s: %s, want %s, %v", d.ID, d.Metadata, want, err)
		}
	}
	var narrowed, exact int
	for _, text := range []string{
		"words:quick", "words:qu*", "exact:The*fox", "count:1*", "tags:r*", "day:2020-*", "ok:t*", "words:fox", `words:"The quick brown fox"`, "words:the", "words:10", "words:>m", "exact:quick", `exact:"The quick brown fox"`, "exact:the", "exact:10", "exact:e3", "hidden:fox",
		"tags:red", "tags:\"red car\"", "tags:blue", "tags:10", "count:7", "count:7.0", "count:7.5", "count:>6.5", "count:<0.5", "count:>=10", "count:<=-3", "count:x", "count:>x", "count:>1e300",
		"counts:20", "counts:>1", "counts:<1", "price:1.5", "price:>1.4", "price:<=0", "prices:2", "prices:<1", "ok:true", "ok:false", "ok:maybe", "ok:>f", "oks:false", "oks:true",
		"day:>2020-04", "day:<2020-04", "day:>=2020-04-01", "day:2020-04-01T00:30:00+02:00", "day:2020-04", "day:>2030", "day:>summer", "day:<=1999-12-31T23:59:59Z", "days:>2020-12",
		"key:0a1b2c3d-0000-4000-8000-00000000000a", "key:none", "keys:0a1b2c3d-0000-4000-8000-00000000000a", "made.by:Bob", "made.year:>1990", "made.inner.x:0.25", "parts.by:Cy", "nowhere:1", "body:text", "picture:x",
	} {
		for _, form := range []string{"%s", "NOT %s", "%s OR count:3", "%s AND NOT count:>20", "NOT (%s OR ok:true)", "NOT (%s AND NOT exact:e2)"} {
			f, err := query.ParseFormula(fmt.Sprintf(form, text))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			want := map[string]bool{}
			for id, m := range ids {
				values, err := predicate.Values([]byte(m))
				if err != nil {
					t.Fatal(err)
				}
				if predicate.Passes(f.Filter, values) {
					want[id] = true
				}
			}
			if b := d.compile(f.Filter); b.Exact {
				exact++
			} else if b.Narrows {
				narrowed++
			}
			for _, whole := range []int{0, 100} {
				s.Limits.Whole = whole
				v := [][]float32{{1, 3}}
				got, err := s.Pool(ctx, v, len(ids), f.Filter, v)
				if err != nil {
					t.Fatalf("%s: %v", f.Filter, err)
				}
				for _, ref := range got.Refs {
					if !want[ref.Key] {
						t.Errorf("%s: %s does not pass", f.Filter, ids[ref.Key])
					}
				}
				if len(got.Refs) != len(want) {
					t.Errorf("%s: %d documents, want %d", f.Filter, len(got.Refs), len(want))
				}
			}
		}
	}
	t.Logf("%d are told by the server, %d narrowed by it", exact, narrowed)
	if exact < 100 || narrowed < 30 {
		t.Errorf("%d are told by the server, %d narrowed by it", exact, narrowed)
	}
}

// sameValues reports whether two objects have the same values, as predicates see them.
func sameValues(t *testing.T, a, b []byte) bool {
	t.Helper()
	one, err := predicate.Values(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := predicate.Values(b)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Equal(one, two)
}
