package index

import (
	"context"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

var (
	_ engine.Described = (*Collection)(nil)
	_ engine.Counter   = (*Collection)(nil)
)

// fieldCache caches the fields of a generation and their value counts.
type fieldCache struct {
	mu         sync.Mutex
	generation int64
	fields     *engine.Fields
	counts     map[string][]valueCount // by field and filter
}

// valueCount is a value and the number of documents that have it.
type valueCount struct {
	value     predicate.Value
	documents int
}

// Limits of the cache: number of cached counts, and of values in each.
const (
	maxCounts      = 64
	maxCountValues = 4096
)

// of returns the cache for a generation. c.mu must be held.
func (c *fieldCache) of(generation int64) *fieldCache {
	if c.generation != generation || c.counts == nil {
		c.generation, c.fields, c.counts = generation, nil, map[string][]valueCount{}
	}
	return c
}

// get returns the cached counts for a key.
func (c *fieldCache) get(generation int64, key string) (counts []valueCount, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts, known = c.of(generation).counts[key]
	return counts, known
}

func (c *fieldCache) put(generation int64, key string, counts []valueCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of(generation); len(c.counts) >= maxCounts {
		clear(c.counts)
	}
	c.counts[key] = counts
}

// FieldNames reads the distinct names by skipping through the ledger's index.
func (c *Collection) FieldNames(ctx context.Context) (names []string, more bool, err error) {
	err = c.withView(ctx, "naming the fields of metadata", func(v *view) error {
		names, more, err = v.fieldNames(ctx)
		return err
	})
	return names, more, err
}

func (v *view) fieldNames(ctx context.Context) (names []string, more bool, err error) {
	var name string
	err = eachRow(ctx, v.tx, []any{&name}, func() { names = append(names, name) }, `WITH RECURSIVE names (name) AS (
		SELECT min(field) FROM entries
		UNION ALL
		SELECT (SELECT min(field) FROM entries WHERE field > name) FROM names WHERE name IS NOT NULL
	) SELECT name FROM names WHERE name IS NOT NULL LIMIT ?`, engine.MaxFields+1)
	if len(names) > engine.MaxFields {
		return names[:engine.MaxFields], true, err
	}
	return names, false, err
}

// Fields reads all values once after each write and caches the result.
func (c *Collection) Fields(ctx context.Context) (*engine.Fields, error) {
	var out *engine.Fields
	err := c.withView(ctx, "reading the fields of metadata", func(v *view) (err error) {
		c.fields.mu.Lock()
		defer c.fields.mu.Unlock()
		cache := c.fields.of(v.generation)
		if cache.fields == nil {
			if cache.fields, err = v.describe(ctx); err != nil {
				cache.fields = nil
			}
		}
		out = cache.fields
		return err
	})
	return out, err
}

func (v *view) describe(ctx context.Context) (*engine.Fields, error) {
	names, more, err := v.fieldNames(ctx)
	out := &engine.Fields{Fields: []engine.Field{}, Documents: v.live(), All: true, More: more}
	for _, name := range names {
		if err != nil {
			break
		}
		var f engine.Field
		if f, err = v.field(ctx, name); err == nil && f.Documents > 0 {
			out.Fields = append(out.Fields, f)
		}
	}
	return out, err
}

// field summarizes the values that live documents have in a field.
func (v *view) field(ctx context.Context, name string) (engine.Field, error) {
	f := fieldstats.Sketch{Field: engine.Field{Name: name}}
	having := newBitmap(v.slots)
	var last predicate.Value
	err := v.values(ctx, name, func(slot int, value predicate.Value) {
		if v.dead.has(slot) {
			return
		}
		f.List = f.List || having.has(slot)
		having.set(slot)
		if f.Kind == "" || value != last { // equal values are adjacent
			f.Add(value)
			last = value
		}
	})
	f.Documents = having.count()
	return f.Told(), err
}

// values visits the values of a field in order, numbers first, with the slot of each
// document that has them. Deleted documents are included.
func (v *view) values(ctx context.Context, field string, visit func(slot int, value predicate.Value)) error {
	var o Ordinal
	var value any
	var text string
	known := predicate.Value{Field: field}
	return eachRow(ctx, v.tx, []any{&value, &o, &text}, func() {
		slot, ok := v.table.find(o)
		if !ok {
			return
		}
		switch x := value.(type) {
		case float64:
			if !known.IsNumber || known.Number != x || known.Text != text {
				known.Number, known.IsNumber, known.Text = x, true, text
			}
		case string:
			known.Number, known.IsNumber, known.Text = 0, false, x
		}
		visit(slot, known)
	}, `SELECT value, ordinal, text FROM entries WHERE field = ? ORDER BY value, ordinal, text`, field)
}

// CountValues counts the values of a field in the ledger's index, where equal values are
// adjacent. Results are cached until the next write.
func (c *Collection) CountValues(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error {
	return c.withView(ctx, "counting the values of "+field, func(v *view) error {
		key := field + "\x00"
		if filter != nil {
			key += filter.String()
		}
		counts, known := c.fields.get(v.generation, key)
		if known {
			for _, x := range counts {
				tell(x.value, x.documents)
			}
			return nil
		}
		few := true
		err := v.count(ctx, field, filter, func(value predicate.Value, documents int) {
			if few = few && len(counts) < maxCountValues; few {
				counts = append(counts, valueCount{value, documents})
			}
			tell(value, documents)
		})
		if err == nil && few {
			c.fields.put(v.generation, key, counts)
		}
		return err
	})
}

// count calls tell for each value of the field among documents that pass the filter.
func (v *view) count(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error {
	passes := func(slot int) bool { return !v.dead.has(slot) }
	if filter != nil {
		pass, err := v.passing(ctx, filter)
		if err != nil {
			return err
		}
		passes = pass.has
	}
	var now predicate.Value
	count, last := 0, -1
	err := v.values(ctx, field, func(slot int, value predicate.Value) {
		if !passes(slot) {
			return
		}
		if same := value.IsNumber == now.IsNumber && value.Number == now.Number && (value.IsNumber || value.Text == now.Text); count > 0 && !same {
			tell(now, count)
			count, last = 0, -1
		}
		if slot != last { // a document may list one number in two notations
			now, last = value, slot
			count++
		}
	})
	if err == nil && count > 0 {
		tell(now, count)
	}
	return err
}
