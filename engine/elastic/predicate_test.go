package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// odd is a mapping whose fields are not quite what documents have in them.
var odd = clause{
	"body":      clause{"type": "text"},
	"keyword":   clause{"type": "keyword"},
	"short":     clause{"type": "keyword", "ignore_above": 5},
	"lower":     clause{"type": "keyword", "normalizer": "lowercase"},
	"null":      clause{"type": "keyword", "null_value": "none"},
	"copy":      clause{"type": "keyword", "copy_to": "copied"},
	"copied":    clause{"type": "keyword"},
	"both":      clause{"type": "text", "fields": clause{"raw": clause{"type": "keyword", "ignore_above": 4}}},
	"integer":   clause{"type": "integer"},
	"byte":      clause{"type": "byte"},
	"long":      clause{"type": "long"},
	"malformed": clause{"type": "integer", "ignore_malformed": true},
	"float":     clause{"type": "float"},
	"half":      clause{"type": "half_float"},
	"double":    clause{"type": "double"},
	"boolean":   clause{"type": "boolean"},
	"date":      clause{"type": "date"},
	"ip":        clause{"type": "ip"},
	"unindexed": clause{"type": "keyword", "index": false},
	"off":       clause{"type": "object", "enabled": false},
	"nested":    clause{"type": "nested", "properties": clause{"a": clause{"type": "keyword"}}},
	"o":         clause{"properties": clause{"a": clause{"type": "keyword"}, "b": clause{"type": "long"}}},
	"flat":      clause{"type": "flattened"},
}

var oddDocuments = []string{
	`{"keyword": "a", "short": "abcdef", "lower": "ABC", "copy": "x", "both": "long enough", "integer": 5.7, "byte": 3, "long": 9007199254740993, "malformed": "five", "float": 0.1, "half": 0.1, "double": 0.1, "boolean": "true", "date": "2015-03-04", "ip": "10.0.0.1", "unindexed": "a", "off": {"a": 1}, "nested": [{"a": "x"}, {"a": "y"}], "o": {"a": "x", "b": 2}, "flat": {"a": {"b": 1}}}`,
	`{"keyword": ["b", "10"], "short": "ab", "lower": "abc", "null": null, "copied": "y", "both": "abc", "integer": "5", "byte": -3.9, "long": 5, "malformed": 5, "float": 16777217, "half": 3, "double": 1e300, "boolean": false, "date": 1425427200000, "o": [{"a": "x"}, {"a": "y", "b": 3}], "o.b": 7}`,
	`{"keyword": 5.0, "null": "none", "integer": -5.7, "malformed": [5, "x"], "float": [1, 2.5], "boolean": "", "date": "2015-03-04T00:00:00+02:00", "unmapped": "a"}`,
	`{"keyword": "1e1", "short": "", "integer": [1, 2], "boolean": [true, false], "body": "never a value"}`,
	`{}`,
}

// TestOddFields checks that conversions by field types do not change which documents pass, for
// top-level fields and for fields of an object.
func TestOddFields(t *testing.T) {
	properties := maps.Clone(odd)
	delete(properties, "body")
	for name, c := range map[string]struct {
		properties clause
		source     func(fields tree) tree
	}{
		"beside": {odd, func(fields tree) tree { return fields }},
		"in an object": {clause{"body": odd["body"], "keyword": odd["keyword"], "integer": odd["short"], "metadata": clause{"dynamic": false, "properties": properties}}, func(fields tree) tree {
			outer := tree{"metadata": mustMarshal(t, fields)}
			if n := len(fields); n > 5 && n < 20 {
				outer["keyword"], outer["integer"] = json.RawMessage(`"beside"`), json.RawMessage(`"5"`)
			}
			return outer
		}},
	} {
		t.Run(name, func(t *testing.T) { testOddFields(t, c.properties, c.source) })
	}
}

func testOddFields(t *testing.T, properties clause, change func(tree) tree) {
	address := collection(t, sharedURL(t))
	properties = maps.Clone(properties)
	properties["embedding"] = clause{"type": "dense_vector", "dims": dim}
	put(t, address, clause{"dynamic": false, "properties": properties})
	c := clientOf(t, address)
	defer c.Close()
	ctx := context.Background()
	for i, text := range oddDocuments {
		fields, err := newTree([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		source := change(fields)
		source["embedding"] = mustMarshal(t, enginetest.Leaning(1, 0, dim))
		if err := c.ask(ctx, http.MethodPut, fmt.Sprintf("/_doc/%d?refresh=true", i), source, new(struct{})); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, address+"&text=body", engine.Options{})
	docs, _, err := s.List(ctx, engine.Page{Limit: 100, Parts: engine.Metadata})
	if err != nil || len(docs) != len(oddDocuments) {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	fields := []string{"o.a", "o.b", "off.a", "flat.a.b", "nested.a", "unmapped", "metadata.keyword"}
	for name := range odd {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	some := 0
	for _, field := range fields {
		for _, value := range []string{"a", "abcdef", "none", "5", "5.5", "10.0", "0.1", "9007199254740992", "true", "2015-03-04"} {
			for op := query.Equal; op <= query.GreaterEqual; op++ {
				var filter query.Node = &query.Predicate{Field: field, Op: op, Value: value}
				if op%2 == 0 {
					filter = &query.Not{X: filter}
				}
				if passes := checkOdd(t, s, docs, filter); passes > 0 && passes < len(docs) {
					some++
				}
			}
		}
	}
	if some < 300 {
		t.Errorf("only %d filters let some pass and some not", some)
	}
}

// checkOdd checks which documents pass a filter, and returns their number.
func checkOdd(t *testing.T, s engine.Collection, docs []engine.Document, filter query.Node) int {
	t.Helper()
	var want, got []string
	for _, d := range docs {
		values, err := predicate.Values(d.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		if predicate.Passes(filter, values) {
			want = append(want, d.ID)
		}
	}
	found, _, err := s.List(context.Background(), engine.Page{Limit: 100, Filter: filter})
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	for _, d := range found {
		got = append(got, d.ID)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v pass, want %v", filter, got, want)
	}
	return len(want)
}

// Where the type of a field allows it, the server narrows a search.
func TestNarrowed(t *testing.T) {
	five := 5
	no := false
	layout := &attached{Roles: remote.Roles{ID: identity, Vector: "v", Title: "t"}, mapping: newMapping(&property{Properties: map[string]property{
		"v": {Type: "dense_vector"}, "t": {Type: "keyword"},
		"k": {Type: "keyword"}, "s": {Type: "keyword", IgnoreAbove: &five}, "n": {Type: "integer"}, "f": {Type: "float"}, "b": {Type: "boolean"},
		"x": {Type: "text", Fields: map[string]property{"raw": {Type: "keyword"}}}, "d": {Type: "date"}, "u": {Type: "keyword", Index: &no},
		"off": {Enabled: &no}, "o": {Properties: map[string]property{"a": {Type: "keyword"}}},
	}})}
	for text, want := range map[string]struct {
		narrowed, exact bool
	}{
		"k:a": {true, true}, "k:>a": {true, false}, "k:5": {true, false}, "k:>5": {false, false}, "NOT k:a": {true, true},
		"s:abc": {true, true}, "s:abcdef": {true, false}, "n:5": {true, false}, "n:>=5": {true, false}, "n:1e12": {false, false}, "n:a": {false, false},
		"f:<0.5": {true, false}, "b:true": {true, false}, "b:>a": {false, false}, "x:a": {true, true}, "d:>2015-01-01": {false, false}, "u:a": {false, false},
		"t:a": {true, true}, "other:a": {true, true}, "off.a:x": {false, false}, "o.a:x": {true, true}, "o.b:x": {true, true}, "NOT n:5": {false, false}, "k:a AND n:5": {true, false}, "k:a OR d:x": {false, false},
	} {
		filter, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		b := compile(filter, layout)
		if got := b.Narrows || b.Nothing; b.Exact != want.exact || got != want.narrowed {
			t.Errorf("%s: got narrowed %t, exact %t by %v, want %t, %t", text, got, b.Exact, b.Expr, want.narrowed, want.exact)
		}
	}
}

// TestWritings checks that the pattern matches every notation of a number, and little else.
func TestWritings(t *testing.T) {
	for _, c := range []struct {
		x    float64
		text string
		want bool
	}{
		{10, "10", true}, {10, "+10.0", true}, {10, "0010.", true}, {10, "1e1", true}, {10, "1E+01", true}, {10, "100", false}, {10, "-10", false}, {10, "1O", false},
		{-2.5, "-2.5", true}, {-2.5, "-02.500", true}, {-2.5, "2.5", false}, {0.5, ".5", true}, {0.5, "0.50", true}, {0, "0", true}, {0, "-0.0", true}, {0, ".0", true},
		{0.1, "0.1000000000000000001", true}, {1e20, "100000000000000000000", true}, {1e-7, "0.0000001", true},
	} {
		if x, ok := predicate.ParseNumber(c.text); c.want && (!ok || x != c.x) {
			t.Fatalf("%s is not %g", c.text, c.x)
		}
		if got := regexp.MustCompile("^(" + writings(c.x) + ")$").MatchString(c.text); got != c.want {
			t.Errorf("%s for %g: %t", c.text, c.x, got)
		}
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	b, err := remote.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
