package pushdown_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// sqlQuoted matches quoted strings and comments.
var sqlQuoted = regexp.MustCompile(`(?s)--[^\n]*\n|"(?:[^"]|"")*"|E'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'`)

// FuzzNames: no name of a table, column or field, no atom and no predicate leaves its quotes or
// its comment. Either it is refused, or the output differs from the one for plain names only
// inside quotes.
func FuzzNames(f *testing.F) {
	f.Add("items", "id", "embedding", "year", "x", "dog")
	f.Add(`it"ems`, `i'd`, `a\b`, `f"; DROP`, `' OR 1=1 --`, "a\n; DELETE")
	f.Add(`"a.b"."c""d"`, "id", "v", "f", "x", "dog")
	f.Add("a.b", `\`, `'`, `"`, `\'`, "*/")
	f.Add("schöma.täble", "ключ", "向量", "a.b.c", "\x1b[31m", "\u2028x")
	f.Fuzz(func(t *testing.T, table, id, vector, field, value, atom string) {
		write := func(inline bool, table, id, vector, field, value, atom string) (string, error) {
			n, err := query.Normalize(&query.And{Parts: []query.Node{
				&query.Atom{Text: atom}, &query.Not{X: &query.Atom{Text: "other"}}, &query.Predicate{Field: field, Value: value},
			}})
			if err != nil {
				return "", err
			}
			p, err := logic.Compile(n, logic.Options{NoFloor: logic.AllFloors})
			if err != nil {
				return "", err
			}
			q := &pushdown.Query{
				Score: scored(t, p), Near: [][]float32{{1}}, K: 10, Candidates: 10, Filter: n.Filter, Inline: inline,
				Names: pushdown.Names{Table: table, ID: id, Vector: vector, Types: map[string]string{field: "text"}},
			}
			for range n.Terms.Len() {
				q.Vectors = append(q.Vectors, []float32{1})
			}
			out, err := pushdown.SQL(q, pushdown.SQLOptions{})
			if err != nil {
				return "", err
			}
			return sqlQuoted.ReplaceAllString(out.Text, "Q"), nil
		}
		for _, inline := range []bool{false, true} {
			got, err := write(inline, table, id, vector, field, value, atom)
			if err != nil {
				continue
			}
			want, err := write(inline, "items", "id", "v", "f", "x", "plain")
			if err != nil {
				t.Fatal(err)
			}
			if atom == "other" {
				continue // a contradiction
			}
			if got != want { // it may be quoted with its schema
				got = strings.ReplaceAll(got, "FROM Q.Q t", "FROM Q t")
				want = strings.ReplaceAll(want, "FROM Q.Q t", "FROM Q t")
			}
			if got != want {
				t.Fatalf("%q becomes\n%s\nand plain names\n%s", []string{table, id, vector, field, value, atom}, got, want)
			}
		}
	})
}
