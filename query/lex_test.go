package query

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, ``},
		{` `, `blank[ ]`},
		{`golden  retriever AND NOT (leash`, `atom[golden  retriever] blank[ ] operator[AND] blank[ ] not[NOT] blank[ ] paren[(] atom[leash]`},
		{`a^2 OR "b c"`, `atom[a] weight[^2] blank[ ] operator[OR] blank[ ] quoted["b c"]`},
		{`year:>=2015 like:x/y image:"z"`, `predicate[year:>=2015] blank[ ] item[like:x/y] blank[ ] item[image:"z"]`},
		{`2 OF (a, b)`, `operator[2 OF] blank[ ] paren[(] atom[a] operator[,] blank[ ] atom[b] paren[)]`},
		{`12 OF 20, b`, `atom[12 OF 20, b]`},
		{`+a -b && c`, `operator[+] atom[a] blank[ ] not[-] atom[b] blank[ ] error[&&] blank[ ] atom[c]`},
		{`“é” "open`, `quoted[“é”] blank[ ] error["open]`},
		{`Star Wars: hope http://x:y”`, `atom[Star Wars: hope http://x:y] error[”]`},
		{`a^x b`, `atom[a] weight[^x] blank[ ] atom[b]`},
		{`x:!=3 x:>= y:"" "\n"`, `predicate[x:!=3] blank[ ] predicate[x:>=] blank[ ] predicate[y:""] blank[ ] quoted["\n"]`},
		{`x:"y`, `error[x:"y]`},
		{"a\xff(b", "atom[a\xff] paren[(] atom[b]"},
	} {
		var got []string
		for _, token := range Tokens(c.text) {
			got = append(got, fmt.Sprintf("%s[%s]", token.Kind, c.text[token.Start:token.End]))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
	}
	p := Tokens(`year:>="2015"`)[0]
	if p.Field != "year" || p.Op != GreaterEqual || p.Text != "2015" {
		t.Errorf("a predicate is read as %+v", p)
	}
}

// FuzzTokens: the tokens cover any text without gaps or overlaps. If the parser accepts
// it, they are its leaves and everything between them.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{`a AND NOT (b OR "c d"^2) year:>=2015`, `-a +b like:x image:"y z"`, `a:b:c http://x ^3`, `x:"`, "“a” b”", `a\"b "\\"`, `a:!=b`, "a\u2028b", "a\xff \x85", `2 OF (a, example:"b, c",d:e) f, g`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens := Tokens(text)
		end := 0
		var got []Node
		for _, token := range tokens {
			if token.Start != end || token.End <= token.Start {
				t.Fatalf("%q: tokens %v", text, tokens)
			}
			end = token.End
			switch token.Kind {
			case TokenWords:
				got = append(got, &Atom{Text: strings.Join(strings.Fields(text[token.Start:token.End]), " "), Pos: token.Span})
			case TokenQuoted:
				got = append(got, &Atom{Text: token.Text, Pos: token.Span})
			case TokenItem:
				got = append(got, &Atom{Kind: token.Item, Text: token.Text, Pos: token.Span})
			case TokenPredicate:
				if token.Op == Equal && strings.HasSuffix(token.Text, "*") {
					return // a prefix, which is two leaves
				}
				got = append(got, &Predicate{Field: token.Field, Op: token.Op, Value: token.Text, Pos: token.Span})
			case TokenTruncated:
				got = append(got, &Predicate{Field: "text", Value: strings.Join(strings.Fields(text[token.Start:token.End]), " "), Pos: token.Span})
			case TokenField, TokenNear:
				return // several tokens are one leaf
			case TokenWeight:
				if len(got) > 0 {
					if a, ok := got[len(got)-1].(*Atom); ok {
						a.Weight, a.Pos.End = token.Weight, token.End
					}
				}
			}
		}
		if end != len(text) {
			t.Fatalf("%q: tokens %v end at %d", text, tokens, end)
		}
		n, err := Parse(text)
		if err != nil {
			return
		}
		for leaf := range Leaves(n) {
			if len(got) == 0 || !Same(leaf, got[0]) || leaf.Span() != got[0].Span() {
				t.Fatalf("%q: the parser has %s at %v, the tokens %v", text, leaf, leaf.Span(), tokens)
			}
			got = got[1:]
		}
		if len(got) > 0 {
			t.Fatalf("%q: the parser has no leaf for %s", text, got[0])
		}
		for _, token := range tokens {
			if token.Kind == TokenError {
				t.Fatalf("%q: an error among %v", text, tokens)
			}
		}
	})
}
