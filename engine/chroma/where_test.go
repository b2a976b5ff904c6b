package chroma

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// meets evaluates a condition as Chroma does: a missing key is not equal to, less than or
// greater than any value; values of another type count as missing; and an operand compared
// with integers loses its fraction.
func meets(t testing.TB, condition map[string]any, metadata map[string]any) bool {
	t.Helper()
	for key, value := range condition {
		if parts, ok := value.([]map[string]any); ok {
			passing := 0
			for _, p := range parts {
				if meets(t, p, metadata) {
					passing++
				}
			}
			return key == "$and" && passing == len(parts) || key == "$or" && passing > 0
		}
		for operator, operand := range value.(map[string]any) {
			found := metadata[key]
			if operator == "$eq" || operator == "$ne" {
				equal := found == operand
				if x, ok := operand.(int64); ok {
					n, number := numberOf(found)
					equal = number && n == float64(x)
				}
				return equal == (operator == "$eq")
			}
			x, ok := numberOf(found)
			y := float64(operand.(int64))
			switch operator {
			case "$lte":
				return ok && x <= y
			case "$gte":
				return ok && x >= y
			}
			t.Fatalf("unknown operator %s", operator)
		}
	}
	t.Fatal("an empty condition")
	return false
}

func numberOf(value any) (float64, bool) {
	switch x := value.(type) {
	case int:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

var strange = []string{"", "a", "red", "reddish", "2020-01-05", "0", "-0", "1", "1.0", "-1", "1e3", "1.5", "-0.5", "1e400", "9007199254740993", "7x", "true", "false", "null", "😀"}

// randomMetadata has numbers in n, strings in s, truth values in b and anything in m.
func randomMetadata(r *rand.Rand) map[string]any {
	text := func() any { return strange[r.IntN(len(strange))] }
	number := func() any { return []any{r.IntN(5) - 2, float64(r.IntN(9)-4) / 2, 1 << 53, math.MaxFloat64}[r.IntN(4)] }
	truth := func() any { return r.IntN(2) == 0 }
	out := map[string]any{}
	for field, value := range map[string]func() any{"n": number, "s": text, "b": truth, "m": []func() any{number, text, truth}[r.IntN(3)]} {
		if r.IntN(4) > 0 {
			out[field] = value()
		}
	}
	return out
}

func randomFilter(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(3) == 0 {
		fields := []string{"n", "s", "b", "m", "none", "$and", "title"}
		p := &query.Predicate{Field: fields[r.IntN(len(fields))], Op: query.Comparison(r.IntN(5)), Value: strange[r.IntN(len(strange))]}
		if r.IntN(25) == 0 {
			p.Op, p.Value = query.Glob, []string{"*", "re*", "*d", "1*", "-*", "2020-*5"}[r.IntN(6)]
		}
		return p
	}
	parts := []query.Node{randomFilter(r, depth-1), randomFilter(r, depth-1), randomFilter(r, depth-1)}
	switch r.IntN(3) {
	case 0:
		return &query.Not{X: parts[0]}
	case 1:
		return &query.And{Parts: parts}
	}
	return &query.Or{Parts: parts}
}

// Whatever passes a filter meets its condition, and some of the others do not.
func TestWhere(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	known := narrower{"n": remote.Numbers, "s": remote.Texts, "b": remote.Booleans, "m": remote.Numbers | remote.Texts | remote.Booleans, "title": remote.Lists}
	passed, met, refused := 0, 0, 0
	for range 20_000 {
		metadata := randomMetadata(r)
		raw, err := json.Marshal(metadata)
		if err != nil {
			t.Fatal(err)
		}
		values, err := predicate.Values(raw)
		if err != nil {
			t.Fatal(err)
		}
		filter := randomFilter(r, 2)
		b := known.compile(filter)
		c := b.Expr
		pass, meet := predicate.Passes(filter, values), !b.Nothing && (!b.Narrows || meets(t, c.JSON, metadata))
		switch {
		case pass && !meet:
			t.Fatalf("%s passes %q and does not meet %v", raw, filter, c.JSON)
		case pass:
			passed++
		case meet:
			met++
		default:
			refused++
		}
	}
	t.Logf("%d pass; of the others %d meet the condition, %d do not", passed, met, refused)
	if passed < 2000 || refused < 2000 {
		t.Errorf("%d pass; of the others %d meet the condition, %d do not", passed, met, refused)
	}
}

// Conditions are as small as a server can bear, and then say less.
func TestWhereBounds(t *testing.T) {
	p := func(i int) query.Node { return &query.Predicate{Field: "f", Value: fmt.Sprint("w", i)} }
	wide, both := &query.Or{}, &query.And{}
	for i := range 1000 {
		wide.Parts, both.Parts = append(wide.Parts, p(i)), append(both.Parts, p(i))
	}
	deep := p(0)
	for i := range 1000 {
		deep = &query.Or{Parts: []query.Node{&query.And{Parts: []query.Node{deep, p(i)}}, p(i)}}
	}
	for name, n := range map[string]query.Node{"wide": wide, "both": both, "deep": deep, "mixed": &query.And{Parts: []query.Node{wide, p(1), deep}}} {
		for _, negated := range []bool{false, true} {
			filter := n
			if negated {
				filter = &query.Not{X: n}
			}
			c := narrower{}.compile(filter).Expr
			if c != nil && (c.Terms > conditions.MaxTerms || c.Depth > conditions.MaxDepth) {
				t.Errorf("%s: %d terms, %d deep", name, c.Terms, c.Depth)
			}
			if name == "mixed" && !negated && c == nil {
				t.Errorf("%s: nothing is left of it", name)
			}
		}
	}
}
