package chroma

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// condition is one of Chroma's, for the parameter where. Nil lets everything pass.
type condition struct {
	json         map[string]any
	terms, depth int
}

// A server that is sent a condition of ten thousand terms, or of a great depth, ends.
// Larger filters are checked here.
const (
	maxTerms = 100
	maxDepth = 20
)

func term(key, operator string, value any) *condition {
	return &condition{map[string]any{key: map[string]any{operator: value}}, 1, 1}
}

// every is met if all of its parts are. It leaves out parts beyond the limits.
func every(parts []*condition) (*condition, bool) {
	all, room := []*condition(nil), maxTerms
	for _, p := range parts {
		if p.terms <= room && p.depth < maxDepth {
			all = append(all, p)
			room -= p.terms
		}
	}
	return join("$and", all), len(all) > 0
}

// some is met if one of its parts is.
func some(parts []*condition) (*condition, bool) {
	terms := 0
	for _, p := range parts {
		if terms += p.terms; terms > maxTerms || p.depth >= maxDepth {
			return nil, false
		}
	}
	return join("$or", parts), true
}

func join(operator string, parts []*condition) *condition {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	c := &condition{}
	texts := make([]map[string]any, len(parts))
	for i, p := range parts {
		texts[i] = p.json
		c.terms += p.terms
		c.depth = max(c.depth, p.depth)
	}
	c.json, c.depth = map[string]any{operator: texts}, c.depth+1
	return c
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
	where.Inexact, where.Guessed = true, where.Native != nil && size.Documents > kindsSeen
	return where, err
}

// narrower compiles conditions for metadata with keys of known types.
type narrower map[string]kind

type bound = remote.Bound[*condition]

func (n narrower) compile(filter query.Node) bound {
	return (&remote.Compiler[*condition]{Predicate: n.predicate, NotPredicate: n.notPredicate, And: every, Or: some}).Compile(filter)
}

func (n narrower) predicate(p *query.Predicate) bound { return n.bound(p, n.with(p)) }

func (n narrower) notPredicate(p *query.Predicate) bound { return n.bound(p, without(p)) }

// bound returns the bound of a condition on the field of a predicate; nil: there is none.
func (n narrower) bound(p *query.Predicate, c *condition) bound {
	if c == nil || n[p.Field]&others != 0 || strings.HasPrefix(p.Field, "$") || strings.HasPrefix(p.Field, "#") { // an operator
		return bound{}
	}
	return remote.AtMost(c)
}

// with passes what satisfies a predicate. Chroma compares numbers and nothing else, and a
// string is equal to one that is written the same; a string that is a number is equal to it
// here however it is written, and comes before or after others.
func (n narrower) with(p *query.Predicate) *condition {
	x, number := predicate.ParseNumber(p.Value)
	switch {
	case number && n[p.Field] == numbers && math.Abs(x) < remote.MaxExact:
		return compared(p, x)
	case number || p.Op != query.Equal:
		return nil
	case p.Value == "true" || p.Value == "false":
		return join("$or", []*condition{term(p.Field, "$eq", p.Value), term(p.Field, "$eq", p.Value == "true")})
	}
	return term(p.Field, "$eq", p.Value)
}

// compared passes the numbers that satisfy a predicate. For integers Chroma takes the
// fraction from the other operand: the condition uses the integers around it.
func compared(p *query.Predicate, x float64) *condition {
	below, above := int64(math.Floor(x)), int64(math.Ceil(x))
	switch p.Op {
	case query.Equal:
		if below < above {
			return join("$and", []*condition{term(p.Field, "$gte", below), term(p.Field, "$lte", above)})
		}
		return term(p.Field, "$eq", below)
	case query.Less, query.LessEqual:
		return term(p.Field, "$lte", above)
	}
	return term(p.Field, "$gte", below)
}

// without is met by records that do not satisfy a predicate, also without the key,
// which for Chroma are not equal, and for which it has no other condition.
func without(p *query.Predicate) *condition {
	x, number := predicate.ParseNumber(p.Value)
	switch {
	case p.Op != query.Equal || x != math.Trunc(x) || math.Abs(x) >= remote.MaxExact:
		return nil
	case number:
		return term(p.Field, "$ne", int64(x))
	case p.Value == "true" || p.Value == "false":
		return join("$and", []*condition{term(p.Field, "$ne", p.Value), term(p.Field, "$ne", p.Value == "true")})
	}
	return term(p.Field, "$ne", p.Value)
}

// kind is the set of types of the values of a metadata key.
type kind uint8

const (
	numbers kind = 1 << iota
	texts
	truths
	others // lists, which newer servers have, and keys with another role
)

var kindNames = map[kind]string{numbers: "number", texts: "string", truths: "boolean", others: "list"}

func (k kind) String() string {
	var out []string
	for bit := numbers; bit <= others; bit <<= 1 {
		if k&bit != 0 {
			out = append(out, kindNames[bit])
		}
	}
	return strings.Join(out, " or ")
}

// kindsOf adds the types in the metadata of a record.
func kindsOf(fields map[string]kind, metadata map[string]json.RawMessage) {
	for key, value := range metadata {
		switch value[0] {
		case '"':
			fields[key] |= texts
		case 't', 'f':
			fields[key] |= truths
		case '[', '{':
			fields[key] |= others
		case 'n':
		default:
			fields[key] |= numbers
		}
	}
}

// columnsOf are the keys as columns, by name.
func columnsOf(fields map[string]kind) (out []remote.Column) {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		c := remote.Column{Name: key, Type: fields[key].String(), Kind: remote.Value}
		if fields[key] == texts {
			c.Kind = remote.Text
		}
		out = append(out, c)
	}
	return out
}

// kinds caches the types in the metadata of a sample, since Chroma has no catalogue.
type kinds struct {
	mu     sync.Mutex
	fields map[string]kind
	at     time.Time
}

const (
	kindsSeen  = 1000
	kindsFresh = time.Minute
)

// fields are the kinds of the metadata's keys.
func (d *driver) fields(ctx context.Context) (map[string]kind, error) {
	d.kinds.mu.Lock()
	fields, good := d.kinds.fields, time.Since(d.kinds.at) < kindsFresh
	d.kinds.mu.Unlock()
	if good {
		return fields, nil
	}
	refs, err := d.Sample(ctx, kindsSeen)
	if err != nil {
		return nil, err
	}
	fields = map[string]kind{}
	for some := range slices.Chunk(refs, 500) {
		a, err := d.get(ctx, map[string]any{"ids": idsOf(some)}, "metadatas")
		if err != nil {
			return nil, err
		}
		for _, m := range a.Metadatas {
			kindsOf(fields, m)
		}
	}
	fields[d.roles.Title], fields[d.roles.Text] = others, others
	d.kinds.mu.Lock()
	defer d.kinds.mu.Unlock()
	d.kinds.fields, d.kinds.at = fields, time.Now()
	return fields, nil
}
