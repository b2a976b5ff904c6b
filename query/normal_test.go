package query

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNNF(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"NOT (a AND b)", "NOT a OR NOT b"},
		{"NOT (a OR b)", "NOT a AND NOT b"},
		{"NOT NOT a", "a"},
		{"NOT (a AND NOT (b OR c))", "NOT a OR b OR c"},
		{"a AND (b AND (c AND d))", "a AND b AND c AND d"},
		{"a OR (b OR c) OR a", "a OR b OR c"},
		{"a AND a", "a"},
		{"NOT year:>3", "NOT year:>3"},
	} {
		if got := NNF(mustParse(t, c.text)).String(); got != c.want {
			t.Errorf("NNF(%s) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ text, root, filter, terms string }{
		{"a", "a", "", "a"},
		{"a AND b", "a AND b", "", "a; b; a AND b"},
		{"a AND b AND c", "a AND b AND c", "", "a; b; c; a AND b AND c"},
		{"a AND NOT b", "a AND NOT b", "", "a; b; a AND b; a AND NOT b"},
		{"a AND b AND NOT c", "a AND b AND NOT c", "", "a; b; c; a AND b; a AND b AND c; a AND b AND NOT c"},
		{"a OR b", "a OR b", "", "a; b; a OR b"},
		{"a OR b OR c", "a OR b OR c", "", "a; b; c; a OR b OR c"},
		{"a AND NOT (b OR c)", "a AND NOT b AND NOT c", "", "a; b; c; a AND b; a AND c; a AND NOT b AND NOT c"},
		{"a AND NOT (b AND c)", "a AND NOT (b AND c)", "", "a; b; c; b AND c; a AND b AND c; a AND NOT (b AND c)"},
		{"a AND (NOT b OR NOT c)", "a AND NOT (b AND c)", "", "a; b; c; b AND c; a AND b AND c; a AND NOT (b AND c)"},
		{"a AND (NOT b OR c)", "a AND NOT (b AND NOT c)", "", "a; b; c; b AND c; a AND b; a AND NOT (b AND NOT c)"},
		{"a OR NOT b", "NOT (NOT a AND b)", "", "a; b; b AND a; NOT (NOT a AND b)"},
		{"NOT a", "NOT a", "", "a; NOT a"},
		{"NOT (a OR b)", "NOT a AND NOT b", "", "a; b; NOT a AND NOT b"},
		{"NOT (a AND b)", "NOT (a AND b)", "", "a; b; a AND b; NOT (a AND b)"},
		{"(a OR b) AND NOT c", "(a OR b) AND NOT c", "", "a; b; c; a OR b; (a OR b) AND c; (a OR b) AND NOT c"},
		{"(a AND b) OR c", "a AND b OR c", "", "a; b; c; a AND b; a AND b OR c"},
		{"a^2 AND b", "a^2 AND b", "", "a; b; a AND b"},
		{"a^2 AND a", "a^2 AND a", "", "a"},
		{"a AND NOT a", "a AND NOT a", "", "a; a AND NOT a"},
		{"a OR NOT a", "NOT (NOT a AND a)", "", "a; NOT (NOT a AND a)"},
		{"NOT a OR NOT b", "NOT (a AND b)", "", "a; b; a AND b; NOT (a AND b)"},
		{"a OR a OR (a AND a)", "a", "", "a"},
		{"a AND A", "a AND A", "", "a; A; a AND A"}, // an encoder may distinguish capitals
		{"a AND NOT A", "a AND NOT A", "", "a; A; a AND A; a AND NOT A"},
		{"a year:>3 -lang:en", "a", "year:>3 AND NOT lang:en", "a"},
		{"a AND (x:1 OR x:2)", "a", "x:1 OR x:2", "a"},
		{"NOT (x:1 OR NOT a)", "a", "NOT x:1", "a"},
		{"x:1", "", "x:1", ""},
		{"2 OF (a, b, c)", "2 OF (a, b, c)", "", "a; b; c; a AND b; a AND c; b AND c; 2 OF (a, b, c)"},
		{"1 OF (a, b)", "a OR b", "", "a; b; a OR b"},
		{"3 OF (a, b, c)", "a AND b AND c", "", "a; b; c; a AND b AND c"},
		{"NOT 2 OF (a, b, c)", "NOT 2 OF (a, b, c)", "", "a; b; c; a AND b; a AND c; b AND c; NOT 2 OF (a, b, c)"},
		{"2 OF (NOT a, NOT b, NOT c)", "NOT 2 OF (a, b, c)", "", "a; b; c; a AND b; a AND c; b AND c; NOT 2 OF (a, b, c)"},
		{"2 OF (a, b, NOT c)", "a AND b OR a AND NOT c OR b AND NOT c", "", "a; b; c; a AND b; a AND c; b AND c; a AND b OR a AND NOT c OR b AND NOT c"},
		{"d AND 2 OF (a, b, c)", "d AND 2 OF (a, b, c)", "", "d; a; b; c; a AND b; a AND c; b AND c; d AND 2 OF (a, b, c); d AND a AND b; d AND a AND c; d AND b AND c"},
		{"a AND 2 OF (x:1, y:2, z:3)", "a", "x:1 AND y:2 OR x:1 AND z:3 OR y:2 AND z:3", "a"},
		{"4 OF (a, b, c, d, e, f, g, h)", "4 OF (a, b, c, d, e, f, g, h)", "", "a; b; c; d; e; f; g; h; 4 OF (a, b, c, d, e, f, g, h)"},
	} {
		f, err := ParseFormula(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var terms []string
		for i := range f.Terms.Len() {
			terms = append(terms, f.Terms.At(i).String())
		}
		if str(f.Root) != c.root || str(f.Filter) != c.filter {
			t.Errorf("%s: root %q, filter %q; want %q, %q", c.text, str(f.Root), str(f.Filter), c.root, c.filter)
		}
		if got := strings.Join(terms, "; "); got != c.terms {
			t.Errorf("%s: terms %s, want %s", c.text, got, c.terms)
		}
	}
}

func TestManyWays(t *testing.T) {
	for text, off := range map[string]int{
		"x AND 8 OF (a, b, c, d, e, f, g, h, i, j, k, NOT l)":                  6,
		"a AND 6 OF (x:1, x:2, x:3, x:4, x:5, x:6, x:7, x:8, x:9, x:10, x:11)": 6,
	} {
		var syntax *SyntaxError
		if _, err := ParseFormula(text); !errors.As(err, &syntax) || syntax.Off != off || !strings.Contains(syntax.Msg, "fewer parts") {
			t.Errorf("%s: got error %v, want a SyntaxError at %d", text, err, off)
		}
	}
	if _, err := ParseFormula("NOT 8 OF (a, b, c, d, e, f, g, h, i, j, k, l)"); err != nil {
		t.Error(err)
	}
}

func TestPredicateInAlternative(t *testing.T) {
	for text, off := range map[string]int{
		"dog OR year:2000":                7,
		"cat AND (dog OR year:2000)":      16,
		"(dog AND year:2000) OR cat":      9,
		"NOT (dog AND year:2000) AND cat": 13,
	} {
		_, err := ParseFormula(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Off != off || !strings.Contains(syntax.Msg, "narrows the whole result") {
			t.Errorf("%s: %v, want an error at byte %d", text, err, off)
		}
	}
}

func TestOperands(t *testing.T) {
	f, err := ParseFormula("a^2 AND (b OR c) AND NOT d AND NOT (e AND NOT f)")
	if err != nil {
		t.Fatal(err)
	}
	c := ReadConjunction(f.Root.(*And))
	got := []string{str(c.Fused), str(c.With[0]), str(c.With[1]), str(f.Monolithic())}
	want := []string{"a AND (b OR c)", "a AND (b OR c) AND d", "a AND (b OR c) AND e", "a AND (b OR c) AND NOT d AND NOT (e AND NOT f)"}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("fusions %s, want %s", got, want)
	}
	if d := ReadDisjunction(or(atom("a"), and(atom("b"), atom("c")))); d.Fused != nil {
		t.Errorf("a disjunction with a formula in it is fused as %s", d.Fused)
	}
}

func TestDistribute(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(a OR b) AND c", "a AND c OR b AND c"},
		{"c AND (a OR b) AND NOT d", "c AND a AND NOT d OR c AND b AND NOT d"},
		{"(a OR b) AND (c OR d)", "a AND c OR a AND d OR b AND c OR b AND d"},
		{"((a AND NOT b) OR c) AND d", "a AND NOT b AND d OR c AND d"},
		{"(a OR b) AND a", "a OR b AND a"},
		{"(a OR b) AND NOT c", ""},                                           // one positive part
		{"a AND b AND NOT c", ""},                                            // no disjunction
		{"(a^2 OR b) AND c", ""},                                             // weighted alternatives
		{"(a OR (b AND (c OR d))) AND e", ""},                                // a disjunction inside
		{"(a OR b) AND (c OR d) AND (e OR f) AND (g OR h) AND (i OR j)", ""}, // 32
	} {
		f, err := ParseFormula(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if d := Distribute(f.Root.(*And)); d != nil {
			got = d.String()
			r := rand.New(rand.NewPCG(1, uint64(len(got))))
			for range 50 { // it is equivalent
				truth := map[string]bool{}
				holds := func(leaf Node) bool {
					if _, ok := truth[leaf.String()]; !ok {
						truth[leaf.String()] = r.IntN(2) == 0
					}
					return truth[leaf.String()]
				}
				if eval(d, holds) != eval(f.Root, holds) {
					t.Errorf("%s and %s differ", c.text, got)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestDistributionDoesNotExplode: alternatives that share negated parts do not multiply,
// however deep.
func TestDistributionDoesNotExplode(t *testing.T) {
	text := "z"
	for i := range 20 {
		text = fmt.Sprintf("(a%d OR b%d) AND c%d AND NOT (%s)", i, i, i, text)
	}
	f, err := ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Terms.Len(); n > 300 {
		t.Errorf("%d terms", n)
	}
}

func TestNormalFormsOfRandomFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		leaves := 16
		checkNormal(t, randomNode(r, 5, &leaves), r)
	}
}

// checkNormal checks the normal forms of a formula: the same truth value for every
// assignment, and the documented grammar.
func checkNormal(t *testing.T, n Node, r *rand.Rand) {
	t.Helper()
	nnf := NNF(n)
	if !isNNF(nnf) {
		t.Fatalf("NNF(%s) = %s", n, nnf)
	}
	f, err := Normalize(n)
	if err != nil {
		var mixed *MixedError
		if !errors.As(err, &mixed) {
			t.Fatalf("Normalize(%s): %v", n, err)
		}
	} else if !isRoot(f.Root) {
		t.Fatalf("Normalize(%s) = %s", n, f.Root)
	}
	if again, err2 := Normalize(nnf); (err == nil) != (err2 == nil) || err == nil && (str(again.Root) != str(f.Root) || str(again.Filter) != str(f.Filter)) {
		t.Fatalf("%s and its NNF have different normal forms", n)
	}
	keys := map[Node]string{} // printing a leaf for every assignment would take most of the time
	for range 8 {
		truth := map[string]bool{}
		holds := func(leaf Node) bool {
			key, ok := keys[leaf]
			if !ok {
				key = unweighted(leaf).String()
				keys[leaf] = key
			}
			if _, ok := truth[key]; !ok {
				truth[key] = r.IntN(2) == 0
			}
			return truth[key]
		}
		want := eval(n, holds)
		if eval(nnf, holds) != want {
			t.Fatalf("%s and its NNF %s differ", n, nnf)
		}
		if err == nil && (eval(f.Root, holds) && eval(f.Filter, holds)) != want {
			t.Fatalf("%s and its normal form %s, filter %s differ", n, str(f.Root), str(f.Filter))
		}
	}
}

func eval(n Node, holds func(Node) bool) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *Not:
		return !eval(n.X, holds)
	case *And:
		for _, p := range n.Parts {
			if !eval(p, holds) {
				return false
			}
		}
		return true
	case *Or:
		for _, p := range n.Parts {
			if eval(p, holds) {
				return true
			}
		}
		return false
	case *AtLeast:
		held := 0
		for _, p := range n.Parts {
			if eval(p, holds) {
				held++
			}
		}
		return held >= n.K
	}
	return holds(n)
}

func isNNF(n Node) bool {
	switch n := n.(type) {
	case *Not:
		switch n.X.(type) {
		case *Atom, *Predicate:
			return true
		}
		return false
	case *And:
		for _, p := range n.Parts {
			if _, nested := p.(*And); nested || !isNNF(p) {
				return false
			}
		}
	case *Or:
		for _, p := range n.Parts {
			if _, nested := p.(*Or); nested || !isNNF(p) {
				return false
			}
		}
	case *AtLeast:
		return 1 < n.K && n.K < len(n.Parts) && all(n.Parts, isNNF)
	}
	return true
}

// isRoot implements the grammar in the documentation of Formula.
func isRoot(n Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *Not:
		return isPositive(n.X)
	case *And:
		pos, neg := split(n)
		return all(pos, isPositive) && all(neg, isPositive)
	}
	return isPositive(n)
}

func isPositive(n Node) bool {
	switch n := n.(type) {
	case *Atom:
		return true
	case *Or:
		return all(n.Parts, func(p Node) bool { return !isOr(p) && isPositive(p) })
	case *And:
		pos, neg := split(n)
		return len(pos) > 0 && all(n.Parts, func(p Node) bool { return !isAnd(p) }) && all(pos, isPositive) &&
			all(neg, func(p Node) bool { return !isOr(p) && isPositive(p) })
	case *AtLeast:
		return 1 < n.K && n.K < len(n.Parts) && all(n.Parts, isPositive)
	}
	return false
}

func all(nodes []Node, ok func(Node) bool) bool {
	for _, n := range nodes {
		if !ok(n) {
			return false
		}
	}
	return true
}

func mustParse(t *testing.T, text string) Node {
	t.Helper()
	n, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func str(n Node) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// TestDistributeIsBounded: the expansion of a conjunction stays small, whatever it
// excludes.
func TestDistributeIsBounded(t *testing.T) {
	text := "(a0 OR a1) AND (a2 OR a3) AND (a4 OR a5) AND (a6 OR a7)"
	for i := 8; i < MaxLeaves; i++ {
		text += fmt.Sprint(" AND NOT a", i)
		f, err := ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if n := f.Terms.Len(); n > 64+2*maxDistributed {
			t.Fatalf("%d parts are excluded, and there are %d terms", i-7, n)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("ä", maxName)
	f, err := ParseFormula("dog AND " + long + " AND " + long + "b AND NOT (cat AND " + long + "c)")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range f.Terms.Len() {
		name, full := f.Terms.Name(i), f.Terms.At(i).String()
		if seen[name] || len(name) > maxName || !utf8.ValidString(name) || len(full) <= maxName && name != full {
			t.Errorf("%.40s… is called %q", full, name)
		}
		seen[name] = true
		if again := f.Terms.NameOf(f.Terms.At(i), 1000); again != name {
			t.Errorf("%q is also called %q", name, again)
		}
	}
	if name := f.Terms.NameOf(&Atom{Text: long + "d"}, 1000); !strings.HasSuffix(name, "… [1000]") {
		t.Errorf("another is called %q", name)
	}
}
