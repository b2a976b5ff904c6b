package milvus

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// What Milvus is asked about filters. That it means the same is what the suite checks.
func TestConditions(t *testing.T) {
	docs := []engine.Document{{ID: "1", Vector: []float32{1, 0}}}
	s := &Attached{fields: library(docs).schema.GetFields(), roles: remote.Roles{ID: "pk", Vector: "embedding", Text: "body"}}
	tags := &wire.FieldSchema{Name: "tags", DataType: wire.DataType_Array, ElementType: wire.DataType_VarChar}
	keyword := &wire.FieldSchema{Name: "interval", DataType: wire.DataType_Int64}
	s.fields = append(s.fields, tags, keyword)
	for text, want := range map[string]condition{
		"n:>9.5":                     {text: "(n is not null and n > 9)", exact: true},
		"n:>=9.5":                    {text: "(n is not null and n >= 10)", exact: true},
		"n:9.5":                      none,
		"n:x":                        none,
		"n:>x":                       anything, // numbers compare as they are written
		"n:>1e300":                   anything,
		"NOT n:9.5":                  all,
		"NOT n:<3":                   {text: "not ((n is not null and n < 3))", exact: true},
		"even:true":                  {text: "(even is not null and even == true)", exact: true},
		"even:>=a":                   {text: "even is not null", exact: true},
		"even:yes":                   none,
		`title:"a \"b\" c"`:          {text: `title == "a \"b\" c"`, exact: true},
		"title:10":                   anything,
		"title:a AND n:3":            {text: `(title == "a" and (n is not null and n == 3))`, exact: true},
		"title:a AND title:10":       {text: `title == "a"`},
		"title:a OR title:10":        anything,
		"title:a OR nothing:b":       {text: `title == "a"`, exact: true},
		"title:a AND nothing:b":      none,
		"score:0.5":                  {text: "(score is not null and (score >= 0.4999995 and score <= 0.5000005))"},
		"NOT score:0.5":              anything,
		"tags:red":                   {text: `array_contains(tags, "red")`, exact: true},
		"tags:>red":                  anything,
		"body:a":                     none, // it is the text
		"interval:3":                 anything,
		"NOT (title:a OR nothing:b)": {text: `not (title == "a")`, exact: true},
	} {
		f, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.condition(f); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
	s.dynamic = true
	within := &query.Predicate{Field: "year", Op: query.Less, Value: "2015"}
	if got, want := s.condition(within).text, `(exists $meta["year"][0] or $meta["year"] < 2015 or $meta["year"] >= "")`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, odd := range []query.Node{&query.Not{X: within}, &query.Predicate{Field: `a"]`}, &query.Predicate{Field: "a.b"}, &query.Predicate{Field: "a", Value: `\u0022`}} {
		if got := s.condition(odd); got != anything {
			t.Errorf("%s is %+v", odd, got)
		}
	}
}
