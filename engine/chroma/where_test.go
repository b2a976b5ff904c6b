package chroma

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// meets is what Chroma makes of a condition: a key that is missing is not equal and
// not in a list, and neither less nor greater than anything.
func meets(t testing.TB, condition map[string]any, keys map[string]any) bool {
	t.Helper()
	for key, value := range condition {
		if parts, ok := value.([]map[string]any); ok {
			passing := 0
			for _, p := range parts {
				if meets(t, p, keys) {
					passing++
				}
			}
			return key == "$and" && passing == len(parts) || key == "$or" && passing > 0
		}
		for operator, operand := range value.(map[string]any) {
			found, there := keys[key]
			x, _ := found.(int64)
			switch operator {
			case "$eq":
				return there && found == operand
			case "$ne":
				return !there || found != operand
			case "$in":
				return there && slices.Contains(operand.([]int64), x)
			case "$nin":
				return !there || !slices.Contains(operand.([]int64), x)
			case "$lt":
				return there && x < operand.(int64)
			case "$lte":
				return there && x <= operand.(int64)
			case "$gt":
				return there && x > operand.(int64)
			case "$gte":
				return there && x >= operand.(int64)
			}
			t.Fatalf("unknown operator %s", operator)
		}
	}
	t.Fatal("an empty condition")
	return false
}

var strange = []string{
	"", "a", "b", "red", "reddish", "redder than red", "redder than rust", "2020-01-05", "2020-01-06", "2020-01", "0", "-0", "1", "1.0", "-1", "1e3", "1000", "1e400", "-5.5", "7x",
	"true", "false", "null", "😀", "\uffff", "\x00", "\x00\x00", strings.Repeat("long ", 50), strings.Repeat("long ", 50) + "x",
}

func randomValue(r *rand.Rand) any {
	switch r.IntN(4) {
	case 0:
		return strange[r.IntN(len(strange))]
	case 1:
		return r.IntN(5) - 2
	case 2:
		var list []any
		for range r.IntN(4) {
			list = append(list, randomValue(r))
		}
		return list
	}
	return []any{nil, true, 0.5, math.MaxFloat64, -math.SmallestNonzeroFloat64, map[string]any{"a": strange[r.IntN(len(strange))]}}[r.IntN(6)]
}

var fields = []string{"f", "g", "f.a", "odd\x00field", strings.Repeat("field", 20)}

func randomFilter(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(3) == 0 {
		return &query.Predicate{Field: fields[r.IntN(len(fields))], Op: query.Comparison(r.IntN(5)), Value: strange[r.IntN(len(strange))]}
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

// Whatever passes a filter meets its condition. Of the others, odd as these are, few
// do.
func TestWhere(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	passed, met, refused := 0, 0, 0
	for range 10_000 {
		object := map[string]any{}
		for _, f := range []string{"f", "g", "odd\x00field", fields[4]} {
			if r.IntN(3) > 0 {
				object[f] = randomValue(r)
			}
		}
		metadata, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		values, err := engine.Values(metadata)
		if err != nil {
			t.Fatal(err)
		}
		filter := randomFilter(r, 3)
		c := where(filter, false)
		pass := engine.Passes(filter, values)
		meet := c == nil || meets(t, c.json, keysOf(values))
		switch {
		case pass && !meet:
			t.Fatalf("%s passes %q and does not meet %v", metadata, filter, c.json)
		case pass:
			passed++
		case meet:
			met++
		default:
			refused++
		}
	}
	t.Logf("%d pass; of the others %d meet the condition, %d do not", passed, met, refused)
	if passed < 2000 || refused < 5*met {
		t.Errorf("%d pass; of the others %d meet the condition, %d do not", passed, met, refused)
	}
}

// Where a field has one value, the condition tells exactly for numbers, and for
// strings that are to be equal.
func TestWhereExactly(t *testing.T) {
	var predicates []*query.Predicate
	for _, value := range []string{"-7", "-0.5", "0", "1", "1.5", "2e3"} {
		for op := query.Equal; op <= query.GreaterEqual; op++ {
			predicates = append(predicates, &query.Predicate{Field: "f", Op: op, Value: value})
		}
	}
	for _, value := range []string{"", "redder than red", "redder than rust", "x"} {
		predicates = append(predicates, &query.Predicate{Field: "f", Value: value})
	}
	passing := 0
	for _, metadata := range []string{
		`{}`, `{"g": 1}`, `{"f": -7}`, `{"f": -1e-9}`, `{"f": 0}`, `{"f": -0.0}`, `{"f": "1.0"}`, `{"f": 1.25}`, `{"f": 2000}`, `{"f": 1e300}`,
		`{"f": "redder than red"}`, `{"f": "redder than rust"}`, `{"f": ""}`,
	} {
		values, err := engine.Values([]byte(metadata))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range predicates {
			if p.Op != query.Equal && strings.Contains(metadata, `"red`) {
				continue // as a string it may begin alike
			}
			for _, n := range []query.Node{p, &query.Not{X: p}} {
				c := where(n, false)
				pass := engine.Passes(n, values)
				if meets(t, c.json, keysOf(values)) != pass {
					t.Errorf("%s and %s: passes %t, %v", metadata, n, pass, c.json)
				}
				if pass {
					passing++
				}
			}
		}
	}
	if passing < 100 {
		t.Errorf("only %d pass", passing)
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
			c := where(n, negated)
			if c != nil && (c.terms > maxTerms || c.depth > maxDepth) {
				t.Errorf("%s: %d terms, %d deep", name, c.terms, c.depth)
			}
			if name == "mixed" && !negated && (c == nil || c.terms < 2) {
				t.Errorf("%s: nothing is left of it", name)
			}
		}
	}
}

// Integers are ordered as what they stand for.
func TestOrdered(t *testing.T) {
	numbers := []float64{math.Inf(-1), -math.MaxFloat64, -1e10, -1.5, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1, 1.0000000000000002, 2, 1e300, math.MaxFloat64}
	for i := 1; i < len(numbers); i++ {
		if orderedNumber(numbers[i-1]) >= orderedNumber(numbers[i]) {
			t.Errorf("%g is not less than %g", numbers[i-1], numbers[i])
		}
	}
	if orderedNumber(math.Copysign(0, -1)) != orderedNumber(0) {
		t.Error("there are two zeros")
	}
	texts := []string{"", "\x01", " ", "2020-01-05", "2020-02", "A", "a", "ab", "b", "\x7f", "é", "日本", "\uffff", "😀"}
	for i := 1; i < len(texts); i++ {
		if orderedString(texts[i-1]) >= orderedString(texts[i]) {
			t.Errorf("%q is not less than %q", texts[i-1], texts[i])
		}
	}
}

// A document of very many strings has not a key for each.
func TestManyStrings(t *testing.T) {
	var list []string
	for i := range 3000 {
		list = append(list, fmt.Sprint("word ", i))
	}
	metadata, err := json.Marshal(map[string]any{"f": list})
	if err != nil {
		t.Fatal(err)
	}
	values, err := engine.Values(metadata)
	if err != nil {
		t.Fatal(err)
	}
	keys := keysOf(values)
	if len(keys) > maxEqual+bounds+2 {
		t.Errorf("%d keys", len(keys))
	}
	for _, w := range list {
		p := &query.Predicate{Field: "f", Value: w}
		if !meets(t, where(p, false).json, keys) {
			t.Fatalf("%s is not found", w)
		}
	}
}
