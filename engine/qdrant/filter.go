package qdrant

import (
	"context"
	"math"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

type (
	condition = remote.Condition
	bound     = remote.Bound[*condition]
)

// conditions joins conditions. Qdrant's parser refuses JSON that is 128 levels deep.
var conditions = remote.Conditions{And: "must", Or: "should", MaxTerms: 1000, MaxDepth: 20}

// filterOf returns a condition as a filter.
func filterOf(c *condition) map[string]any {
	for _, clause := range []string{"must", "should", "must_not"} {
		if _, ok := c.JSON[clause]; ok {
			return c.JSON
		}
	}
	return map[string]any{"must": []any{c.JSON}}
}

// match returns a condition for points with a value in a field, or in a list in it.
func match(path string, value any) *condition {
	return remote.NewCondition(map[string]any{"key": path, "match": map[string]any{"value": value}})
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// pathOf returns the path of a field a, or of a field b in an object a. It is not ok if the
// name cannot be written as a path.
func pathOf(field string) (path string, ok bool) {
	parts := strings.Split(field, ".")
	for i, part := range parts {
		switch {
		case part == "" || strings.ContainsAny(part, "\"\\"):
			return "", false
		case !plain.MatchString(part):
			parts[i] = `"` + part + `"`
		}
	}
	return strings.Join(parts, "."), true
}

func isTopLevel(name string) bool { return !strings.Contains(name, ".") }

// Compile narrows a filter down as far as Qdrant can decide it by the types of values in a
// sample. A point outside the sample may have a value of another type: all are checked.
func (d *driver) Compile(ctx context.Context, filter query.Node) (remote.Where, error) {
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return remote.Where{}, err
	}
	fields, err := d.kinds.Get(ctx, func(ctx context.Context) (map[string]remote.Kinds, error) {
		fields, _, err := d.inspect(ctx, remote.KindsSeen)
		return fields, err
	})
	where := narrower{fields, &d.roles}.compile(filter).Where()
	where.Inexact, where.Guessed = true, where.Native != nil && size.Documents > remote.KindsSeen
	return where, err
}

type narrower struct {
	fields map[string]remote.Kinds
	roles  *remote.Roles
}

func (n narrower) compile(filter query.Node) bound {
	not := func(c *condition) *condition { return remote.List("must_not", c) }
	return (&remote.Compiler[*condition]{Predicate: n.predicate, Not: not, And: conditions.Every, Or: conditions.Some}).Compile(filter)
}

// find returns the path of a field of the metadata and the types of its values. It is not ok
// if the field may be in two places, or in lists of objects.
func (n narrower) find(field string) (path string, kinds remote.Kinds, ok bool) {
	name := field
	if below := n.roles.Metadata + "." + field; n.roles.Metadata != "" && n.fields[below] != 0 {
		if n.fields[field] != 0 {
			return "", 0, false
		}
		name = below
	} else if first, _, _ := strings.Cut(field, "."); !n.roles.IsMetadata(first) || first == pointID || first == oneVector {
		return "", 0, false
	}
	for at, c := range name {
		if c == '.' && n.fields[name[:at]]&^remote.Objects != 0 { // an object there is in a list
			return "", 0, false
		}
	}
	path, ok = pathOf(name)
	kinds = n.fields[name]
	return path, kinds, ok && kinds&remote.Objects == 0
}

// predicate compiles a predicate. Qdrant compares numbers with numbers, and strings only for
// equality; a string that is a number is equal to it here however it is written.
func (n narrower) predicate(p *query.Predicate) bound {
	path, kinds, ok := n.find(p.Field)
	x, number := predicate.ParseNumber(p.Value)
	switch {
	case !ok:
		return bound{}
	case number && kinds&^remote.Lists == remote.Numbers && math.Abs(x) < remote.MaxExact:
		return compare(path, p.Op, x)
	case number || p.Op != query.Equal:
		return bound{}
	case p.Value == "true" || p.Value == "false":
		return remote.Exactly(remote.Join(conditions.Or, match(path, p.Value), match(path, p.Value == "true")))
	}
	return remote.Exactly(match(path, p.Value))
}

var operators = map[query.Comparison]string{query.Less: "lt", query.LessEqual: "lte", query.Greater: "gt", query.GreaterEqual: "gte"}

// compare compares numbers. An index over integers drops the fraction of the other operand:
// the condition uses the integers around it.
func compare(path string, op query.Comparison, x float64) bound {
	limits := func(limits map[string]any) *condition {
		return remote.NewCondition(map[string]any{"key": path, "range": limits})
	}
	switch whole := x == math.Trunc(x); {
	case op == query.Equal && whole:
		return remote.Exactly(limits(map[string]any{"gte": x, "lte": x}))
	case whole:
		return remote.Exactly(limits(map[string]any{operators[op]: x}))
	case op == query.Equal:
		return remote.AtMost(limits(map[string]any{"gte": math.Floor(x), "lte": math.Ceil(x)}))
	case op == query.Less || op == query.LessEqual:
		return remote.AtMost(limits(map[string]any{"lte": math.Ceil(x)}))
	}
	return remote.AtMost(limits(map[string]any{"gte": math.Floor(x)}))
}

// Matching finds points by the full-text indexes over the text and the title. Without such an
// index, Qdrant would search every text for a substring.
func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	var paths []string
	for _, name := range []string{d.roles.Text, d.roles.Title} {
		if path, ok := pathOf(name); ok && d.schema[path].Type == "text" {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil, ctx.Err()
	}
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	var each []*condition
	for _, n := range needles[:min(len(needles), remote.MaxWords)] {
		var forms []*condition
		for _, form := range n.Written {
			for _, path := range paths {
				forms = append(forms, remote.NewCondition(map[string]any{"key": path, "match": map[string]any{"text": form}}))
			}
		}
		each = append(each, remote.Join(conditions.Or, forms...))
	}
	if len(each) > 1 {
		each = append(each, remote.Join(conditions.And, each...))
	}
	return remote.ByRarity(ctx, size.Documents, limit, each, func(ctx context.Context, c *condition) (refs []engine.Ref, err error) {
		if filter, ok := where.Native.(*condition); ok {
			c = remote.Join(conditions.And, c, filter)
		}
		err = d.Page(ctx, "", limit, remote.Where{Native: c}, remote.Want{}, func(e *remote.Entry) (bool, error) {
			refs = append(refs, e.Ref)
			return len(refs) < limit, nil
		})
		return refs, err
	})
}
