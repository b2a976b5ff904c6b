package index

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// filterCache caches which slots satisfy a predicate. The metadata of a slot never
// changes within an epoch, so entries stay valid and a new batch only extends them.
type filterCache struct {
	mu    sync.Mutex
	known map[query.Predicate]knownSlots // keyed by predicates without their source position
}

// knownSlots holds whether each slot below upTo satisfies a predicate.
type knownSlots struct {
	bits bitmap
	upTo int
}

// maxKnown bounds the cache. With a million documents an entry takes 125 kB.
const maxKnown = 64

func (c *filterCache) get(k query.Predicate) knownSlots {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[k]
}

func (c *filterCache) put(k query.Predicate, s knownSlots) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxKnown {
		clear(c.known)
	}
	if c.known[k].upTo < s.upTo {
		c.known[k] = s
	}
}

// passing returns the set of live documents that satisfy a filter.
func (v *view) passing(ctx context.Context, filter query.Node) (bitmap, error) {
	pass := fullBitmap(v.slots)
	satisfying, err := v.evaluate(ctx, filter)
	if err != nil {
		return nil, err
	}
	// A cached set may include slots newer than this view.
	pass.keep(satisfying)
	pass.remove(v.dead)
	return pass, nil
}

// evaluate returns a set that the caller may modify. It may include dead documents.
func (v *view) evaluate(ctx context.Context, n query.Node) (bitmap, error) {
	switch n := n.(type) {
	case *query.Predicate:
		known, err := v.satisfying(ctx, n)
		return known.grown(v.slots), err
	case *query.Not:
		x, err := v.evaluate(ctx, n.X)
		if err != nil {
			return nil, err
		}
		all := fullBitmap(v.slots)
		all.remove(x)
		return all, nil
	case *query.And:
		return v.combine(ctx, n.Parts, bitmap.keep)
	case *query.Or:
		return v.combine(ctx, n.Parts, bitmap.add)
	case nil:
		return nil, engine.BadInput("filter", "an operand is missing")
	}
	return nil, engine.BadInput("filter", "%s is not a predicate such as year:>=2015", n)
}

func (v *view) combine(ctx context.Context, parts []query.Node, with func(a, b bitmap)) (bitmap, error) {
	if len(parts) == 0 {
		return nil, engine.BadInput("filter", "AND or OR without operands")
	}
	all, err := v.evaluate(ctx, parts[0])
	for _, p := range parts[1:] {
		if err != nil {
			return nil, err
		}
		var b bitmap
		if b, err = v.evaluate(ctx, p); err == nil {
			with(all, b)
		}
	}
	return all, err
}

// satisfying returns the slots that satisfy a predicate. If both the metadata and the
// predicate hold a number (text that parses as a number counts) they compare numerically,
// otherwise as strings. One matching element of a list is enough. A document without the
// field satisfies no predicate.
func (v *view) satisfying(ctx context.Context, p *query.Predicate) (bitmap, error) {
	key := query.Predicate{Field: p.Field, Op: p.Op, Value: p.Value}
	known := v.filters.get(key)
	if known.upTo >= v.slots {
		return known.bits[:(v.slots+63)/64], nil
	}
	if p.Op > query.Glob {
		return nil, engine.BadInput("filter", "unknown comparison %d", p.Op)
	}
	if p.OnText() {
		bits, err := v.containing(ctx, p, known)
		if err != nil {
			return nil, err
		}
		v.filters.put(key, knownSlots{bits, v.slots})
		return bits, nil
	}
	op, value := p.Op.String(), p.Value
	if p.Op == query.Glob { // LIKE ignores case in SQLite
		op, value = "GLOB", strings.NewReplacer("[", "[[]", "?", "[?]").Replace(value)
	}
	// The ledger's index sorts numbers before strings, and '' is the first string.
	const from = `SELECT ordinal FROM entries WHERE field = ?1 AND ordinal >= ?2 AND `
	text := from + `value ` + op + ` ?3 AND value >= ''`
	args := []any{p.Field, v.ordinal(known.upTo), value}
	if x, ok := predicate.ParseNumber(p.Value); ok && p.Op != query.Glob {
		text += ` UNION ALL ` + from + `value ` + op + ` ?4 AND value < ''`
		args = append(args, x)
	} else {
		text += ` UNION ALL ` + from + `value < '' AND text ` + op + ` ?3`
	}
	known = knownSlots{known.bits.grown(v.slots), v.slots}
	var o Ordinal
	err := eachRow(ctx, v.tx, []any{&o}, func() {
		if slot, ok := v.table.find(o); ok {
			known.bits.set(slot)
		}
	}, text, args...)
	if err != nil {
		return nil, fmt.Errorf("evaluating %s: %w", p, err)
	}
	v.filters.put(key, known)
	return known.bits, nil
}
