package query

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func matches(field, value string) *Predicate {
	return &Predicate{Field: field, Op: Match, Value: value}
}

func TestParsePatterns(t *testing.T) {
	for _, c := range []struct {
		text string
		want Node
	}{
		{`thromb*`, &Predicate{Field: "text", Value: "thromb*"}},
		{`wom?n AND dog`, and(&Predicate{Field: "text", Value: "wom?n"}, atom("dog"))},
		{`deep  vein thromb*`, &Predicate{Field: "text", Value: "deep vein thromb*"}},
		{`"deep vein thromb*"`, atom("deep vein thromb*")},
		{`text:thromb* title:wom?n`, and(&Predicate{Field: "text", Value: "thromb*"}, &Predicate{Field: "title", Value: "wom?n"})},
		{`"heart attack" NEAR/5 aspirin`, matches("text", `heart attack NEAR/5 aspirin`)},
		{`"salt AND pepper" NEAR/5 "a, b"`, matches("text", `"salt AND pepper" NEAR/5 "a, b"`)},
		{`heart ADJ3 attack w/15 aspirin`, matches("text", `heart NEAR/3 attack NEAR/15 aspirin`)},
		{`heart adj3 attack`, matches("text", `heart NEAR/3 attack`)},
		{`heart pre/2 attack`, matches("text", `heart PRE/2 attack`)},
		{`a NEAR/2 (b NEAR/3 c)`, matches("text", `a NEAR/2 (b NEAR/3 c)`)},
		{`(heart OR "acute coronary") NEAR/5 (attack* OR event)`, matches("text", `(heart OR acute coronary) NEAR/5 (attack* OR event)`)},
		{`dog -heart NEAR/5 attack`, and(atom("dog"), not(matches("text", "heart NEAR/5 attack")))},
		{`title:(aspirin)`, &Predicate{Field: "title", Value: "aspirin"}},
		{`keywords:(aspirin)`, matches("keywords", "aspirin")},
		{`title:(heart attack OR MI) dog`, and(matches("title", "heart attack OR MI"), atom("dog"))},
		{`title:(heart AND NOT "lung cancer")`, and(&Predicate{Field: "title", Value: "heart"}, not(&Predicate{Field: "title", Value: "lung cancer"}))},
		{`title:(a OR b AND c)`, or(&Predicate{Field: "title", Value: "a"}, and(&Predicate{Field: "title", Value: "b"}, &Predicate{Field: "title", Value: "c"}))},
		{`title:heart NEAR/3 title:attack`, matches("title", "heart NEAR/3 attack")},
		{`2 OF (title:(a OR b), x:1, c NEAR/2 "d, e")`, &AtLeast{K: 2, Parts: []Node{matches("title", "a OR b"), &Predicate{Field: "x", Value: "1"}, matches("text", `c NEAR/2 "d, e"`)}}},
		// Texts that only resemble the operators.
		{`M*A*S*H`, atom("M*A*S*H")},
		{`5* hotel`, atom("5* hotel")},
		{`what is love?`, atom("what is love?")},
		{`2 * 3`, atom("2 * 3")},
		{`main*.go`, atom("main*.go")},
		{`A HOUSE NEAR THE SEA`, atom("A HOUSE NEAR THE SEA")},
		{`n5 w3 24/7`, atom("n5 w3 24/7")},
		{`Alien: (1979)`, and(atom("Alien:"), atom("1979"))},
		{`path:man*`, &Predicate{Field: "path", Op: Glob, Value: "man*"}},
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

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		off  int
		msg  string
	}{
		{`heart NEAR/0 attack`, 6, "not a distance between 1 and 100"},
		{`heart NEAR/500 attack`, 6, "not a distance"},
		{`heart NEAR/5`, 12, "after NEAR/5, found the end"},
		{`NEAR/5 attack`, 0, "found NEAR/5"},
		{`heart NEAR/5 (a AND b)`, 14, "NEAR/5 joins words, phrases and alternatives"},
		{`heart NEAR/5 like:x`, 13, "joins words"},
		{`heart^2 NEAR/5 attack`, 0, "joins words"},
		{`title:heart NEAR/5 attack`, 19, "in one text field"},
		{`heart NEAR/5 year:2000`, 13, "joins words"},
		{`title:(a OR year:2000)`, 12, "belongs outside it"},
		{`title:(a OR text:(b))`, 12, "belongs outside it"},
		{`title:(a`, 6, "never closed"},
		{`title:()`, 7, "between ( and )"},
		{`title:(a^2)`, 8, "a weight follows one atom"},
	} {
		_, err := Parse(c.text)
		var e *SyntaxError
		if !errors.As(err, &e) || e.Off != c.off || !strings.Contains(e.Msg, c.msg) {
			t.Errorf("Parse(%q): got %v, want %q at byte %d", c.text, err, c.msg, c.off)
		}
	}
	if _, err := ParseFormula("thromb* OR dog"); err == nil || !strings.Contains(err.Error(), "text:(dog OR hound*)") {
		t.Errorf("got %v, want what to write instead", err)
	}
}

// randomPattern returns a random pattern of at most depth operators inside each other.
func randomPattern(r *rand.Rand, depth int) *Pattern {
	if depth == 0 || r.IntN(3) == 0 {
		return &Pattern{Words: []string{"a", "thromb*", "wom?n b", "b, c", "AND", `q"x`, "NEAR/5", "title:x", "2 OF", "-a"}[r.IntN(10)]}
	}
	if r.IntN(2) == 0 {
		return AnyPattern(randomPattern(r, depth-1), randomPattern(r, depth-1))
	}
	return &Pattern{Parts: []*Pattern{randomPattern(r, depth-1), randomPattern(r, depth-1)}, Within: 1 + r.IntN(MaxWithin), Ordered: r.IntN(2) == 0}
}

// TestPatternPrintParseIdentity: a printed pattern parses back to an equal one, alone and in a
// list.
func TestPatternPrintParseIdentity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		p := randomPattern(r, 4)
		for _, n := range []Node{PatternOn("title", p, Span{}), PatternOn("f", p, Span{}), &AtLeast{K: 1, Parts: []Node{PatternOn("f", p, Span{}), atom("x")}}} {
			again, err := Parse(n.String())
			if err != nil || !Same(n, again) {
				t.Fatalf("%s parses back as %v, %v", n, again, err)
			}
		}
		back, err := (&Predicate{Field: "f", Op: Match, Value: p.String()}).Pattern()
		if err != nil || back.String() != p.String() {
			t.Fatalf("the pattern of %s is %v, %v", p, back, err)
		}
	}
}
