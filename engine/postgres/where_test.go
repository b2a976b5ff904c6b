package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Whatever a predicate says is an argument, and of the statement only columns are text.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{"", "n", "name", "place.city", "a.b.c", "'; DROP TABLE x; --", `"`, `\`, "$1", "1e400", "-.5E3", "тест"} {
		f.Add(s, s, uint8(len(s)))
	}
	of := func(name, typ, element string, kind remote.Kind) column {
		return column{Column: remote.Column{Name: name, Kind: kind}, typ: typ, element: element, exact: true}
	}
	all := fields{columns: []column{
		of("n", "int4", "", remote.Value), of("name", "text", "", remote.Text), of("at", "date", "", remote.Value),
		of("score", "float4", "", remote.Value), of("tags", "_text", "text", remote.Value), of("place", "jsonb", "", remote.Object),
	}}
	beside := of("meta", "jsonb", "", remote.Object)
	f.Fuzz(func(t *testing.T, field, value string, op uint8) {
		p := &query.Predicate{Field: field, Op: query.Comparison(op % 5), Value: value}
		if comparable(p) != nil || checkDots(p) != nil {
			return
		}
		const marked = "marked0marked"
		odd := &query.Predicate{Field: marked + field, Op: p.Op, Value: marked + value}
		for _, f := range []fields{all, {columns: all.columns, beside: &beside}} {
			for _, filter := range []query.Node{p, odd, &query.Not{X: p}, &query.And{Parts: []query.Node{p, odd}}} {
				args := arguments{"first"}
				text := f.where(filter, &args)
				if strings.Contains(text, marked) {
					t.Fatalf("%s is in the statement: %s", filter, text)
				}
				for i := range args[1:] {
					if !strings.Contains(text, fmt.Sprintf("$%d", i+2)) {
						t.Fatalf("argument %d is not in the statement: %s", i+2, text)
					}
				}
			}
		}
	})
}

// A field with dots is a field within a field, or one that is called so.
func TestPaths(t *testing.T) {
	if got := fmt.Sprint(paths("a.b.c")); got != "[[a.b.c] [a b.c] [a b c] [a.b c]]" {
		t.Error(got)
	}
	if got := jsonpath([]string{`a"b\`}); !strings.HasPrefix(got, `lax $."a\"b\\"[*][*]`) {
		t.Error(got)
	}
}
