package elastic

import (
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// predicate narrows a search by a top-level field or, if there is none, by a field of the
// metadata object.
func (t *attached) predicate(p *query.Predicate) bound {
	var found []bound
	isRole := slices.Contains([]string{t.Text, t.Title, t.Metadata}, p.Field) || slices.Contains(t.mapping.vectors, p.Field)
	if !isRole && (t.Metadata == "" || !strings.HasPrefix(p.Field, t.Metadata+".")) && !t.nowhere(p.Field) {
		found = append(found, t.satisfying(p.Field, p))
	}
	if name := t.Metadata + "." + p.Field; t.Metadata != "" && !t.nowhere(name) {
		found = append(found, t.satisfying(name, p))
	}
	switch len(found) {
	case 0:
		return remote.Nothing[expr]()
	case 1:
		return found[0]
	}
	if !found[0].Narrows || !found[1].Narrows {
		return bound{}
	}
	return atMost(anyOf(found[0].Expr.clause, found[1].Expr.clause))
}

// satisfying follows predicate.Passes as far as the type of a field allows; the caller checks the
// rest. Elasticsearch records values that it did not index because they were too long or of
// another type, and all of those pass here.
func (t *attached) satisfying(name string, p *query.Predicate) bound {
	field, ok := t.fields[name]
	if !ok {
		return bound{}
	}
	name, field = asKeyword(name, field)
	if !field.indexed() {
		return bound{}
	}
	x, isNumber := predicate.ParseNumber(p.Value)
	var b bound
	switch field.Type {
	case "keyword":
		if isNumber && p.Op != query.Equal || field.Normalizer != "" {
			return bound{}
		}
		if isNumber {
			b = atMost(clause{"regexp": clause{name: clause{"value": writings(x), "flags": "NONE"}}})
			break
		}
		exact := p.Op == query.Equal && (field.IgnoreAbove == nil || utf8.RuneCountInString(p.Value) <= *field.IgnoreAbove) &&
			field.NullValue == nil && !t.copied[name]
		if b = atMost(compare(name, p.Op, p.Value)); exact {
			return exactly(b.Expr.clause)
		}
	case "long", "integer", "short", "byte", "double", "float":
		if !isNumber {
			return bound{}
		}
		lower, upper, ok := around(field.Type, x)
		if !ok {
			return bound{}
		}
		b = atMost(between(name, p.Op, lower, upper))
	case "boolean":
		if p.Op != query.Equal || p.Value != "true" && p.Value != "false" {
			return bound{}
		}
		b = atMost(clause{"term": clause{name: p.Value == "true"}})
	default:
		return bound{}
	}
	return atMost(anyOf(b.Expr.clause, clause{"term": clause{"_ignored": name}}))
}

func asKeyword(name string, field *property) (string, *property) {
	if field.Type == "keyword" {
		return name, field
	}
	for _, inner := range slices.Sorted(maps.Keys(field.Fields)) {
		if p := field.Fields[inner]; p.Type == "keyword" && p.Normalizer == "" && p.indexed() {
			return name + "." + inner, &p
		}
	}
	return name, field
}

func compare(name string, op query.Comparison, value string) clause {
	if op == query.Equal {
		return clause{"term": clause{name: value}}
	}
	return clause{"range": clause{name: clause{map[query.Comparison]string{
		query.Less: "lt", query.LessEqual: "lte", query.Greater: "gt", query.GreaterEqual: "gte",
	}[op]: value}}}
}

// between returns a clause for the numbers that may satisfy a comparison with a value between
// lower and upper.
func between(name string, op query.Comparison, lower, upper float64) clause {
	r := clause{}
	if op != query.Less && op != query.LessEqual {
		r["gte"] = lower
	}
	if op != query.Greater && op != query.GreaterEqual {
		r["lte"] = upper
	}
	return clause{"range": clause{name: r}}
}

// around returns bounds on the numbers that a field of the given type may store for x, since
// it truncates or rounds. ok is false if Elasticsearch would reject the bounds.
func around(kind string, x float64) (lower, upper float64, ok bool) {
	limits := map[string]float64{"long": 1<<53 - 1, "integer": 1<<31 - 1, "short": 1<<15 - 1, "byte": 1<<7 - 1, "float": math.MaxFloat32 / 2, "double": math.MaxFloat64 / 2}
	if math.Abs(x) > limits[kind] {
		return 0, 0, false
	}
	switch kind {
	case "double":
		return x, x, true
	case "float":
		const rounding = 1e-6
		off := math.Abs(x)*rounding + math.SmallestNonzeroFloat32
		return x - off, x + off, true
	}
	return math.Floor(x), math.Ceil(x), true
}

// writings returns a pattern for all texts that parse as a number: its digits with leading and
// trailing zeros, and any text with an exponent or with more digits than a float64 distinguishes.
func writings(x float64) string {
	digits := strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "-")
	whole, part, _ := strings.Cut(digits, ".")
	sign := `[+]?`
	switch {
	case x == 0:
		sign = `[-+]?`
	case x < 0:
		sign = `-`
	}
	if whole == "0" {
		whole = ""
	}
	point := `\.` + part + `0*`
	if part == "" {
		point = `(\.0*)?`
	}
	return sign + `0*` + regexp.QuoteMeta(whole) + point + `|[-+]?[0-9.]+[eE][-+]?[0-9]+|[-+]?[0-9.]{16,}`
}

type expr struct {
	clause clause
	depth  int
}

type bound = remote.Bound[expr]

// maxDepth limits the depth of queries; Elasticsearch allows thirty.
const maxDepth = 20

func exactly(c clause) bound { return remote.Exactly(expr{c, 1}) }

func atMost(c clause) bound { return remote.AtMost(expr{c, 1}) }

// Compile compiles the part of a filter that the server decides as predicate.Passes does.
func (d *driver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return compile(filter, d.layout).Where(), nil
}

func compile(filter query.Node, l layout) bound {
	join := func(all func(...clause) clause) func([]expr) (expr, bool) {
		return func(parts []expr) (expr, bool) {
			clauses, depth := make([]clause, len(parts)), 0
			for i, p := range parts {
				clauses[i], depth = p.clause, max(depth, p.depth)
			}
			return expr{all(clauses...), depth + 1}, depth < maxDepth
		}
	}
	return (&remote.Compiler[expr]{
		Predicate: l.predicate, And: join(allOf), Or: join(anyOf), Not: func(e expr) expr { return expr{noneOf(e.clause), e.depth + 1} },
	}).Compile(filter)
}

func narrowed(where remote.Where, documents clause) clause {
	if e, ok := where.Native.(expr); ok {
		return allOf(documents, e.clause)
	}
	return allOf(documents)
}
