package query

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func atom(text string) *Atom             { return &Atom{Text: text} }
func not(x Node) *Not                    { return &Not{X: x} }
func and(parts ...Node) *And             { return &And{Parts: parts} }
func or(parts ...Node) *Or               { return &Or{Parts: parts} }
func weighted(t string, w float64) *Atom { return &Atom{Text: t, Weight: w} }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want Node
	}{
		{`dog`, atom("dog")},
		{`golden  retriever AND ball`, and(atom("golden retriever"), atom("ball"))},
		{`dog and not leash`, atom("dog and not leash")},
		{`a OR b AND NOT c`, or(atom("a"), and(atom("b"), not(atom("c"))))},
		{`(a OR b) AND c`, and(or(atom("a"), atom("b")), atom("c"))},
		{`NOT a AND b`, and(not(atom("a")), atom("b"))},
		{`NOT (a AND b)`, not(and(atom("a"), atom("b")))},
		{`NOT NOT a`, not(not(atom("a")))},
		{`"golden retriever" - ball`, and(atom("golden retriever"), not(atom("ball")))},
		{`cats -dogs +birds`, and(atom("cats"), not(atom("dogs")), atom("birds"))},
		{`dog NOT leash`, and(atom("dog"), not(atom("leash")))},
		{`"a" "b" c d`, and(atom("a"), atom("b"), atom("c d"))},
		{`"say \"hi\" \\ bye"`, atom(`say "hi" \ bye`)},
		{`“smart quotes” AND x`, and(atom("smart quotes"), atom("x"))},
		{`"AND" AND "-x"`, and(atom("AND"), atom("-x"))},
		{`state-of-the-art C++`, atom("state-of-the-art C++")},
		{`dog^2 AND golden retriever^0.5`, and(weighted("dog", 2), weighted("golden retriever", 0.5))},
		{`dog^1`, atom("dog")},
		{`"big dog"^3 cat`, and(weighted("big dog", 3), atom("cat"))},
		{`dog year:>=2015`, and(atom("dog"), &Predicate{Field: "year", Op: GreaterEqual, Value: "2015"})},
		{`lang:en`, &Predicate{Field: "lang", Value: "en"}},
		{`a.b-c_d:"two words"`, &Predicate{Field: "a.b-c_d", Value: "two words"}},
		{`x:<1 x:<=2 x:>3 x:=4`, and(&Predicate{Field: "x", Op: Less, Value: "1"}, &Predicate{Field: "x", Op: LessEqual, Value: "2"}, &Predicate{Field: "x", Op: Greater, Value: "3"}, &Predicate{Field: "x", Value: "4"})},
		{`date:>="2020-01-01"`, &Predicate{Field: "date", Op: GreaterEqual, Value: "2020-01-01"}},
		{`-lang:en dog`, and(not(&Predicate{Field: "lang", Value: "en"}), atom("dog"))},
		{`(dog lang:en)`, and(atom("dog"), &Predicate{Field: "lang", Value: "en"})},
		{`Star Wars: a new hope`, atom("Star Wars: a new hope")},
		{`see http://example.org/x?y:z now`, atom("see http://example.org/x?y:z now")},
		{`at 12:30 sharp`, atom("at 12:30 sharp")},
		{`like:doc-17 AND NOT image:a/b.jpg^2`, and(&Atom{Kind: Like, Text: "doc-17"}, not(&Atom{Kind: Image, Text: "a/b.jpg", Weight: 2}))},
		{`like:"doc 17"`, &Atom{Kind: Like, Text: "doc 17"}},
		{`example:"a long text, pasted" AND NOT example:short`, and(&Atom{Kind: Example, Text: "a long text, pasted"}, not(&Atom{Kind: Example, Text: "short"}))},
		{`2 OF (dog, big ball^2,x:1)`, &AtLeast{K: 2, Parts: []Node{&Atom{Text: "dog"}, &Atom{Text: "big ball", Weight: 2}, &Predicate{Field: "x", Value: "1"}}}},
		{`cat NOT 1 OF ((a OR b) AND "c, d", 2 OF(e, f))`, and(&Atom{Text: "cat"}, not(&AtLeast{K: 1, Parts: []Node{
			and(or(&Atom{Text: "a"}, &Atom{Text: "b"}), &Atom{Text: "c, d"}), &AtLeast{K: 2, Parts: []Node{&Atom{Text: "e"}, &Atom{Text: "f"}}},
		}}))},
		{`2 OF 3, OF course`, &Atom{Text: "2 OF 3, OF course"}},
		{`like:>=3`, &Atom{Kind: Like, Text: ">=3"}},
		{"\tnew\u00a0york\n", atom("new york")},
		{`犬 AND NOT 猫`, and(atom("犬"), not(atom("猫")))},
	} {
		got, err := Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if !Same(got, c.want) {
			t.Errorf("Parse(%q) = %s, want %s", c.text, got, c.want)
		}
		again, err := Parse(got.String())
		if err != nil || !Same(again, got) {
			t.Errorf("%q prints as %q, which parses as %v (%v)", c.text, got, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		off  int
		msg  string
	}{
		{``, 0, "empty"},
		{`   `, 3, "empty"},
		{`dog AND`, 7, "expected an atom, a predicate or ( after AND, found the end"},
		{`dog AND OR cat`, 8, "after AND, found OR"},
		{`OR cat`, 0, "found OR"},
		{`dog OR `, 7, "after OR"},
		{`NOT`, 3, "after NOT"},
		{`dog -`, 5, "after -"},
		{`(dog`, 0, "never closed"},
		{`dog)`, 3, "without a ("},
		{`()`, 1, "between ( and )"},
		{`a AND ()`, 7, "between ( and )"},
		{`"dog`, 0, "never closed"},
		{`x AND ""`, 6, "between the quotes"},
		{`x AND "  "`, 6, "between the quotes"},
		{`"a\n"`, 2, "unknown escape"},
		{`a”`, 1, "nothing opens"},
		{`dog^`, 4, "expected a weight"},
		{`dog^0`, 4, "above 0"},
		{`dog^-1`, 4, "above 0"},
		{`dog^1e9`, 4, "at most 100"},
		{`dog^NaN`, 4, "above 0"},
		{`dog^x`, 4, `found "x"`},
		{`^2`, 0, "found a weight"},
		{`(a OR b)^2`, 8, "a weight follows one atom"},
		{`((a OR b)^2)`, 9, "a weight follows one atom"},
		{`lang:en^2`, 7, "a weight follows one atom"},
		{`year:>=`, 7, "expected a value after year:>="},
		{`year:!=3`, 5, "NOT year:value"},
		{`a && b`, 2, "write AND"},
		{`3 OF (a, b)`, 0, "between 1 and 2"},
		{`0 OF (a, b)`, 0, "cannot be asked for"},
		{`2 OF (a, b`, 5, "never closed"},
		{`2 OF ()`, 6, "with commas"},
		{`2 OF (a, , b)`, 9, "after ,"},
		{`2 OF (a, (b, c))`, 11, "a comma stands between"},
		{`2 OF (a, b)^2`, 11, "a weight follows one atom"},
		{`example:""`, 8, "between the quotes"},
		{"a\xffb", 1, "UTF-8"},
		{strings.Repeat("(", MaxDepth+1) + "a" + strings.Repeat(")", MaxDepth+1), MaxDepth, "nested"},
		{strings.Repeat("NOT ", MaxDepth+1) + "a", 4 * MaxDepth, "nested"},
		{strings.Repeat("a AND ", MaxLeaves) + "a", 6 * MaxLeaves, "more than 64"},
		{strings.Repeat("x", MaxBytes+1), MaxBytes, "at most 8192"},
	} {
		_, err := Parse(c.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Parse(%q): error %v, want a syntax error", c.text, err)
			continue
		}
		if syntax.Off != c.off || !strings.Contains(syntax.Msg, c.msg) {
			t.Errorf("Parse(%.40q): %q at byte %d, want %q at byte %d", c.text, syntax.Msg, syntax.Off, c.msg, c.off)
		}
	}
}

func TestSyntaxErrorShowsTheFault(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"dog AND OR cat", "syntax error at byte 8: expected an atom, a predicate or ( after AND, found OR\n" +
			"  dog AND OR cat\n" +
			"          ^"},
		{"日本 AND", "syntax error at byte 10: expected an atom, a predicate or ( after AND, found the end of the query\n" +
			"  日本 AND\n" +
			"        ^"},
		{"a\tb)\nc", "syntax error at byte 3: found ) without a ( before it\n" +
			"  a b) c\n" +
			"     ^"},
	} {
		_, err := Parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("Parse(%q):\n%v\nwant:\n%s", c.text, err, c.want)
		}
	}
}

func TestSyntaxErrorSpan(t *testing.T) {
	for text, want := range map[string]string{
		"dog AND OR cat": "OR", "dog AND": "", "dog^2x AND cat": "2x", "a && b": "&&", `x AND "" y`: `""`, "  ": "",
	} {
		var e *SyntaxError
		if _, err := Parse(text); !errors.As(err, &e) || text[e.Span().Start:e.Span().End] != want {
			t.Errorf("%s: %v at fault, want %q", text, e.Span(), want)
		}
	}
}

func TestLongQueryIsCutInErrors(t *testing.T) {
	_, err := Parse(strings.Repeat("very long ", 100) + "AND ) " + strings.Repeat("tail ", 100))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || len([]rune(lines[1])) > 90 || !strings.HasPrefix(strings.TrimSpace(lines[1]), "…") || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("a long query is shown as:\n%v", err)
	}
	caret := strings.IndexRune(lines[2], '^')
	if got := []rune(lines[1])[caret]; got != ')' {
		t.Errorf("the caret points at %q, want )", got)
	}
}

func TestSpans(t *testing.T) {
	text := `cats  AND NOT ("big dog"^2 OR year:>3)`
	n, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range Walk(n) {
		got = append(got, text[n.Span().Start:n.Span().End])
	}
	want := []string{`cats  AND NOT ("big dog"^2 OR year:>3`, `cats`, `NOT ("big dog"^2 OR year:>3`, `"big dog"^2 OR year:>3`, `"big dog"^2`, `year:>3`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("spans:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// randomNode returns a random tree; leaves counts down.
func randomNode(r *rand.Rand, depth int, leaves *int) Node {
	texts := []string{"a", "b", "c", "golden retriever", "AND", "-x", `q"uote`, `back\slash`, "lang:en", "Star Wars:", "  spaced ", "x^2", "(p)", "“”", "ends:", "http://x", "x, y", ",", "2 OF", "OF"}
	if depth == 0 || *leaves <= 2 || r.IntN(4) == 0 {
		*leaves--
		text := texts[r.IntN(len(texts))]
		weight := []float64{0, 0, 1, 2, 0.125, 99.5}[r.IntN(6)]
		switch r.IntN(8) {
		case 0:
			return &Predicate{Field: "f.x", Op: Comparison(r.IntN(5)), Value: text}
		case 1:
			return &Atom{Kind: Like, Text: text, Weight: weight}
		case 2:
			return &Atom{Kind: Image, Text: text, Weight: weight}
		}
		return &Atom{Text: text, Weight: weight}
	}
	switch r.IntN(4) {
	case 3:
		parts := randomParts(r, depth, leaves)
		return &AtLeast{K: 1 + r.IntN(len(parts)), Parts: parts}
	case 0:
		return not(randomNode(r, depth-1, leaves))
	case 1:
		return and(randomParts(r, depth, leaves)...)
	}
	return or(randomParts(r, depth, leaves)...)
}

func randomParts(r *rand.Rand, depth int, leaves *int) []Node {
	parts := make([]Node, 2+r.IntN(2))
	for i := range parts {
		parts[i] = randomNode(r, depth-1, leaves)
	}
	return parts
}

// TestPrintParseIdentity: any printed tree parses back to an equal one.
func TestPrintParseIdentity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		leaves := 30
		n := randomNode(r, 5, &leaves)
		again, err := Parse(n.String())
		if err != nil {
			t.Fatalf("%s\n%v", n, err)
		}
		if !Same(n, again) {
			t.Fatalf("%s parses back as %s", n, again)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`dog AND NOT leash`, `(beach OR lake) AND sunset -people year:>=2015`, `"a\"b"^2 like:x OR NOT (NOT b)`, `x:y:z`, "a”", `NOT NOT NOT a`, `a AND (NOT b OR c) OR NOT (d AND NOT e)`, `2 OF (a, b AND "c, d", NOT 1 OF (x:1,x:2))`, `"heart attack" NEAR/5 (aspirin* OR wom?n) title:(a PRE/3 "b, c" OR -d)`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Off < 0 || syntax.Off > len(text) || syntax.Error() == "" {
				t.Fatalf("Parse(%q): bad error %#v", text, err)
			}
			return
		}
		if span := n.Span(); span.Start < 0 || span.End > len(text) || span.Start >= span.End {
			t.Fatalf("Parse(%q): span %v", text, span)
		}
		// Quotes, parentheses and operators may make the printed form longer than the
		// limit of a query.
		if printed := n.String(); len(printed) <= MaxBytes {
			again, err := Parse(printed)
			if err != nil || !Same(n, again) {
				t.Fatalf("%q prints as %q, which parses as %v (%v)", text, printed, again, err)
			}
		}
		checkNormal(t, n, rand.New(rand.NewPCG(1, uint64(len(text)))))
	})
}
