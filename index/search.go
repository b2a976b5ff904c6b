package index

import (
	"context"
	"fmt"
	"runtime"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/query"
)

func newColumns(q, n int) *engine.Columns {
	c := &engine.Columns{Refs: make([]engine.Ref, n), Similarities: make([][]float32, q)}
	for j := range c.Similarities {
		c.Similarities[j] = make([]float32, n)
	}
	return c
}

// search is one call that reads vectors: a snapshot and the normalized query vectors.
type search struct {
	*snapshot
	vectors [][]float32
	pass    bitmap // the documents to consider
}

// searching creates a search and runs f on it.
func (c *Collection) searching(ctx context.Context, doing string, vectors [][]float32, filter query.Node, f func(*search) error) error {
	return c.call(doing, func() error {
		unit, err := c.normalize(vectors)
		if err != nil {
			return err
		}
		return c.selecting(ctx, filter, func(s *search) error {
			s.vectors = unit
			return f(s)
		})
	})
}

// selecting runs f on a search of the newest snapshot without vectors.
func (c *Collection) selecting(ctx context.Context, filter query.Node, f func(*search) error) (err error) {
	s := &search{}
	if filter == nil {
		s.snapshot, err = c.acquire(ctx)
	} else {
		s.snapshot, s.pass, err = c.filtered(ctx, filter)
	}
	if err != nil {
		return err
	}
	defer c.release(s.snapshot)
	return s.guard(func() error { return f(s) })
}

// filtered returns a snapshot, which the caller must release, and the documents that pass
// the filter.
func (c *Collection) filtered(ctx context.Context, filter query.Node) (*snapshot, bitmap, error) {
	v, err := c.view(ctx)
	if err != nil {
		return nil, nil, err
	}
	var pass bitmap
	err = v.guard(func() (err error) {
		pass, err = v.passing(ctx, filter)
		return err
	})
	if err != nil {
		v.close()
		return nil, nil, c.ledger.explain("filtering", err)
	}
	return v.detach(), pass, nil
}

// normalize returns copies of the query vectors scaled to length 1.
func (c *Collection) normalize(vectors [][]float32) ([][]float32, error) {
	if len(vectors) == 0 {
		return nil, engine.BadInput("query", "no vectors")
	}
	unit := make([][]float32, len(vectors))
	for i, v := range vectors {
		var err error
		if unit[i], err = storekit.UnitOf(v, c.dim); err != nil {
			return nil, engine.BadInput(fmt.Sprintf("query vector %d", i), "it %s", err)
		}
	}
	return unit, nil
}

// passAll selects all live documents if there is no filter.
func (s *search) passAll() {
	if s.pass == nil {
		s.pass = fullBitmap(s.slots)
		s.pass.remove(s.dead)
	}
}

// unitSlots is how many slots one goroutine processes at a time: few enough for prompt
// cancellation and for the similarities to stay in the cache, and a multiple of 64 for
// the bitmaps.
func (s *search) unitSlots() int {
	const most, least, rows = 512, 64, 2048
	n := most
	for n > least && n*s.rows > rows*s.slots {
		n /= 2
	}
	return n
}

func (s *search) units() int { return (s.slots + s.unitSlots() - 1) / s.unitSlots() }

// bounds returns the slots of a unit.
func (s *search) bounds(unit int) (lo, hi int) {
	n := s.unitSlots()
	return unit * n, min((unit+1)*n, s.slots)
}

// offsets returns the number of passing documents before each unit, then the total.
func (s *search) offsets() []int {
	offsets := make([]int, s.units()+1)
	for u := range s.units() {
		lo, hi := s.bounds(u)
		offsets[u+1] = offsets[u] + s.pass[lo/64:(hi+63)/64].count()
	}
	return offsets
}

// cores is the number of goroutines to use.
func cores() int { return runtime.GOMAXPROCS(0) }

// scratch is the reusable buffer of one goroutine.
type scratch struct {
	columns [][]float32
	slots   []uint32
	rows    []uint32
}

// room returns q columns of n values.
func (b *scratch) room(q, n int) [][]float32 {
	if len(b.columns) < q {
		b.columns = make([][]float32, q)
	}
	for j := range b.columns {
		if cap(b.columns[j]) < n {
			b.columns[j] = make([]float32, n)
		}
		b.columns[j] = b.columns[j][:n]
	}
	return b.columns
}

// visitor receives the passing documents of a unit and their columns, which are valid
// until it returns.
type visitor func(worker, unit int, slots []uint32, columns [][]float32)

// sweep visits every unit that has passing documents. dense computes all rows of a unit;
// sparse, if not nil, computes only passing documents when they are the minority.
func (s *search) sweep(ctx context.Context, dense product, sparse scattered, visit visitor) error {
	buffers := make([]scratch, cores())
	return s.spread(ctx, s.units(), len(buffers), func(worker, unit int) error {
		b := &buffers[worker]
		lo, hi := s.bounds(unit)
		b.slots = s.pass.appendSlots(b.slots[:0], lo, hi)
		switch n := len(b.slots); {
		case n == 0:
			return nil
		case sparse != nil && 2*n < hi-lo:
			s.gather(b, sparse)
		default:
			s.dense(b, dense, lo, hi)
		}
		visit(worker, unit, b.slots, b.columns)
		return nil
	})
}

// gather computes the documents of b.slots from scattered rows.
func (s *search) gather(b *scratch, sparse scattered) {
	b.rows = b.rows[:0]
	for _, slot := range b.slots {
		first := s.first(int(slot))
		for row := first; row < first+s.rowsOf(int(slot)); row++ {
			b.rows = append(b.rows, uint32(row))
		}
	}
	columns := b.room(len(s.vectors), len(b.rows))
	sparse(columns, b.rows)
	if len(b.rows) > len(b.slots) {
		for j := range columns {
			s.fold(columns[j], b.slots)
			columns[j] = columns[j][:len(b.slots)]
		}
	}
}

// dense computes all documents from lo to hi-1 and keeps b.slots.
func (s *search) dense(b *scratch, dense product, lo, hi int) {
	from, to := s.first(lo), s.end(hi-1)
	columns := b.room(len(s.vectors), to-from)
	dense(columns, from, to)
	if to-from > hi-lo {
		all := b.rows[:0]
		for slot := lo; slot < hi; slot++ {
			all = append(all, uint32(slot))
		}
		for _, column := range columns {
			s.fold(column, all)
		}
		b.rows = all
	}
	for j, column := range columns {
		if len(b.slots) < hi-lo {
			for i, slot := range b.slots {
				column[i] = column[int(slot)-lo]
			}
		}
		columns[j] = column[:len(b.slots)]
	}
}

// fold converts row similarities to document similarities in place: (whole + max over
// passages) / 2, or the whole.
func (s *search) fold(column []float32, slots []uint32) {
	at := 0
	for i, slot := range slots {
		n := s.rowsOf(int(slot))
		whole := column[at]
		if n > 1 {
			best := column[at+1]
			for _, x := range column[at+2 : at+n] {
				best = max(best, x)
			}
			whole = (whole + best) / 2
		}
		column[i] = whole
		at += n
	}
}
