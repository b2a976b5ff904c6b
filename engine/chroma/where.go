package chroma

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// conditions joins conditions for the parameter where. A server that is sent a condition of
// ten thousand terms, or of a great depth, ends.
var conditions = remote.Conditions{And: "$and", Or: "$or", MaxTerms: 100, MaxDepth: 20}

type condition = remote.Condition

func term(key, operator string, value any) *condition {
	return remote.NewCondition(map[string]any{key: map[string]any{operator: value}})
}

// Compile narrows a filter down as far as Chroma can tell by the kinds of values that a
// sample has.
func (d *driver) Compile(ctx context.Context, filter query.Node) (remote.Where, error) {
	fields, err := d.fields(ctx)
	if err != nil {
		return remote.Where{}, err
	}
	size, err := d.calls.Size.Get(ctx, d.Size)
	where := narrower(fields).compile(filter).Where()
	where.Inexact, where.Guessed = true, where.Native != nil && size.Documents > remote.KindsSeen
	return where, err
}

type narrower map[string]remote.Kinds

type bound = remote.Bound[*condition]

func (n narrower) compile(filter query.Node) bound {
	return (&remote.Compiler[*condition]{Predicate: n.predicate, NotPredicate: n.notPredicate, And: conditions.Every, Or: conditions.Some}).Compile(filter)
}

func (n narrower) predicate(p *query.Predicate) bound { return n.bound(p, n.with(p)) }

func (n narrower) notPredicate(p *query.Predicate) bound { return n.bound(p, without(p)) }

// bound returns the bound of a condition on the field of a predicate; nil: there is none.
func (n narrower) bound(p *query.Predicate, c *condition) bound {
	if c == nil || n[p.Field]&remote.Lists != 0 || strings.HasPrefix(p.Field, "$") || strings.HasPrefix(p.Field, "#") { // an operator
		return bound{}
	}
	return remote.AtMost(c)
}

// with returns a condition for records that satisfy a predicate. Chroma compares numbers and nothing else, and a
// string is equal to one that is written the same; a string that is a number is equal to it
// here however it is written, and comes before or after others.
func (n narrower) with(p *query.Predicate) *condition {
	x, number := predicate.ParseNumber(p.Value)
	switch {
	case number && n[p.Field] == remote.Numbers && math.Abs(x) < remote.MaxExact:
		return compared(p, x)
	case number || p.Op != query.Equal:
		return nil
	case p.Value == "true" || p.Value == "false":
		return remote.Join("$or", term(p.Field, "$eq", p.Value), term(p.Field, "$eq", p.Value == "true"))
	}
	return term(p.Field, "$eq", p.Value)
}

// compared returns a condition for the numbers that satisfy a predicate. For integers Chroma takes the
// fraction from the other operand: the condition uses the integers around it.
func compared(p *query.Predicate, x float64) *condition {
	below, above := int64(math.Floor(x)), int64(math.Ceil(x))
	switch p.Op {
	case query.Equal:
		if below < above {
			return remote.Join("$and", term(p.Field, "$gte", below), term(p.Field, "$lte", above))
		}
		return term(p.Field, "$eq", below)
	case query.Less, query.LessEqual:
		return term(p.Field, "$lte", above)
	}
	return term(p.Field, "$gte", below)
}

// without returns a condition for records that do not satisfy a predicate. To Chroma, a record
// without the key is not equal, and there is no other condition for it.
func without(p *query.Predicate) *condition {
	x, number := predicate.ParseNumber(p.Value)
	switch {
	case p.Op != query.Equal || x != math.Trunc(x) || math.Abs(x) >= remote.MaxExact:
		return nil
	case number:
		return term(p.Field, "$ne", int64(x))
	case p.Value == "true" || p.Value == "false":
		return remote.Join("$and", term(p.Field, "$ne", p.Value), term(p.Field, "$ne", p.Value == "true"))
	}
	return term(p.Field, "$ne", p.Value)
}

func (d *driver) fields(ctx context.Context) (map[string]remote.Kinds, error) {
	return d.kinds.Get(ctx, func(ctx context.Context) (map[string]remote.Kinds, error) {
		refs, err := d.Sample(ctx, remote.KindsSeen)
		if err != nil {
			return nil, err
		}
		fields := map[string]remote.Kinds{}
		for some := range slices.Chunk(refs, 500) {
			a, err := d.get(ctx, map[string]any{"ids": idsOf(some)}, "metadatas")
			if err != nil {
				return nil, err
			}
			for _, m := range a.Metadatas {
				remote.AddKinds(fields, m)
			}
		}
		for name := range fields {
			fields[name] &^= remote.Objects // Chroma has none; a name has a dot
		}
		fields[d.roles.Title], fields[d.roles.Text] = remote.Lists, remote.Lists // no predicate reads them
		return fields, nil
	})
}
