package postgres

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// The value of a predicate never gets into the text of a statement.
func FuzzPredicate(f *testing.F) {
	f.Add("year", "2015")
	f.Add("a' OR '1'='1", "'; DROP TABLE documents; --")
	f.Add("$1", "$2")
	f.Add("", "\\")
	f.Add(strings.Repeat("x", 64), strings.Repeat("é", 63))
	f.Fuzz(func(t *testing.T, field, value string) {
		var args, harmless arguments
		p := &query.Predicate{Field: field, Op: query.Less, Value: value}
		if err := comparable(p); (err == nil) != (storable(field) && storable(value)) {
			t.Errorf("%q %q: %v", field, value, err)
		} else if err != nil {
			return
		}
		got := condition(p, "d.ref", &args)
		other := strings.Repeat("v", utf8.RuneCountInString(value))
		if _, ok := predicate.ParseNumber(value); ok {
			other = strings.Repeat("0", len(value))
		}
		want := condition(&query.Predicate{Field: strings.Repeat("f", utf8.RuneCountInString(field)), Op: query.Less, Value: other}, "d.ref", &harmless)
		if got != want || len(args) != len(harmless) {
			t.Errorf("%q %q changes the statement:\n%s\n%s", field, value, got, want)
		}
	})
}

// Whatever metadata is, it is refused or is a JSON object whose values the
// database can store.
func FuzzEntries(f *testing.F) {
	f.Add([]byte(`{"a": [1, "x", {"b": null, "c": true}], "": 1e999, "d": "0x1"}`))
	f.Add([]byte(`{"a\u0000": 1}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{} []`))
	f.Fuzz(func(t *testing.T, metadata []byte) {
		values, err := valuesOf(metadata)
		if err != nil || len(metadata) == 0 {
			return
		}
		if !json.Valid(metadata) {
			t.Errorf("%q is accepted", metadata)
		}
		for _, v := range values {
			x, number := predicate.ParseNumber(v.Text)
			if !storable(v.Field) || !storable(v.Text) || number != v.IsNumber || number && v.Number != x {
				t.Errorf("%q gives %+v", metadata, v)
			}
		}
	})
}
