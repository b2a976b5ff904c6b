package milvus

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// TestConditions checks the expressions for filters. The suite checks their meaning.
func TestConditions(t *testing.T) {
	anything, all, none := bound{}, remote.Everything[string](), remote.Nothing[string]()
	docs := []engine.Document{{ID: "1", Vector: []float32{1, 0}}}
	s := &driver{fields: library(docs).schema.GetFields(), roles: remote.Roles{ID: "pk", Vector: "embedding", Text: "body"}}
	tags := &wire.FieldSchema{Name: "tags", DataType: wire.DataType_Array, ElementType: wire.DataType_VarChar}
	keyword := &wire.FieldSchema{Name: "interval", DataType: wire.DataType_Int64}
	label := &wire.FieldSchema{Name: "label", DataType: wire.DataType_VarChar}
	s.fields = append(s.fields, tags, keyword, label)
	for text, want := range map[string]bound{
		"n:>9.5":                     remote.Exactly("(n is not null and n > 9)"),
		"n:>=9.5":                    remote.Exactly("(n is not null and n > 9)"),
		"n:9.5":                      none,
		"n:x":                        none,
		"n:>x":                       anything, // numbers compare as they are written
		"n:>1e300":                   anything,
		"NOT n:9.5":                  all,
		"NOT n:<3":                   remote.Exactly("not ((n is not null and n < 3))"),
		"even:true":                  remote.Exactly("(even is not null and even == true)"),
		"even:>=a":                   remote.Exactly("even is not null"),
		"even:yes":                   none,
		`label:"a \"b\" c"`:          remote.Exactly(`label == "a \"b\" c"`),
		"label:10":                   anything,
		"label:a AND n:3":            remote.Exactly(`(label == "a" and (n is not null and n == 3))`),
		"label:a AND label:10":       remote.AtMost(`label == "a"`),
		"label:a OR label:10":        anything,
		"label:a OR nothing:b":       remote.Exactly(`label == "a"`),
		"label:a AND nothing:b":      none,
		"score:0.5":                  remote.AtMost("(score is not null and (score >= 0.4999995 and score <= 0.5000005))"),
		"NOT score:0.5":              anything,
		"tags:red":                   remote.Exactly(`array_contains(tags, "red")`),
		"tags:>red":                  anything,
		"body:a":                     none, // it is the text
		"interval:3":                 anything,
		"NOT (label:a OR nothing:b)": remote.Exactly(`not (label == "a")`),
	} {
		f, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.compile(f); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
	s.dynamic = true
	within := &query.Predicate{Field: "year", Op: query.Less, Value: "2015"}
	if got, want := s.compile(within).Expr, `(exists $meta["year"][0] or $meta["year"] < 2015 or $meta["year"] >= "")`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, odd := range []query.Node{&query.Not{X: within}, &query.Predicate{Field: `a"]`}, &query.Predicate{Field: "a.b"}, &query.Predicate{Field: "a", Value: `\u0022`}} {
		if got := s.compile(odd); got != (bound{}) {
			t.Errorf("%s is %+v", odd, got)
		}
	}
}
