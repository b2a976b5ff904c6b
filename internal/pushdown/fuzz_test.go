package pushdown_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Quoted strings and comments in the target languages.
var (
	sqlQuoted      = regexp.MustCompile(`(?s)--[^\n]*\n|"(?:[^"]|"")*"|E'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'`)
	painlessQuoted = regexp.MustCompile(`'(?:[^'\\]|\\.)*'`)
)

// skeleton returns texts without their quoted strings.
func skeleton(t testing.TB, out *pushdown.Output, target string) string {
	t.Helper()
	if target == "sql" {
		return sqlQuoted.ReplaceAllString(out.Text, "Q")
	}
	var b strings.Builder
	for _, r := range out.Requests {
		if strings.ContainsAny(r.Path, " \n\"'?#") || strings.Count(r.Path, "/") > 9 {
			t.Fatalf("the path is %q", r.Path)
		}
		body := plain(t, r.Body)
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range regexp.MustCompile(`"source":("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(string(text), -1) {
			var script string
			if err := json.Unmarshal([]byte(source[1]), &script); err != nil {
				t.Fatal(err)
			}
			b.WriteString(painlessQuoted.ReplaceAllString(script, "Q"))
		}
	}
	for line := range strings.Lines(out.Text) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		b.WriteString("#") // comments are as many lines as they would be
	}
	return b.String()
}

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
		write := func(target string, inline bool, table, id, vector, field, value, atom string) (string, error) {
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
			out, err := targets[target](q)
			if err != nil {
				return "", err
			}
			return skeleton(t, out, target), nil
		}
		for target := range targets {
			for _, inline := range []bool{false, true} {
				got, err := write(target, inline, table, id, vector, field, value, atom)
				if err != nil {
					continue
				}
				want, err := write(target, inline, "items", "id", "v", "f", "x", "plain")
				if err != nil {
					t.Fatal(err)
				}
				if atom == "other" {
					continue // a contradiction
				}
				if target == "sql" && got != want { // it may be quoted with its schema
					got = strings.ReplaceAll(got, "FROM Q.Q t", "FROM Q t")
					want = strings.ReplaceAll(want, "FROM Q.Q t", "FROM Q t")
				}
				if got != want {
					t.Fatalf("%s: %q becomes\n%s\nand plain names\n%s", target, []string{table, id, vector, field, value, atom}, got, want)
				}
			}
		}
	})
}
