package remote

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// cached keeps a value that is costly to find out. The zero value is empty.
type cached[T any] struct {
	mu      sync.Mutex
	value   T
	at      time.Time // zero: not known
	took    time.Duration
	changes int // a value that was read during a change is not kept
}

// get returns the value, and reads it if it is older than fresh. A value that took long to read
// is kept longer.
func (c *cached[T]) get(ctx context.Context, fresh time.Duration, read func(context.Context) (T, error)) (T, error) {
	const times = 50
	c.mu.Lock()
	value, changes, good := c.value, c.changes, time.Since(c.at) < max(fresh, times*c.took)
	c.mu.Unlock()
	if good {
		return value, nil
	}
	begun := time.Now()
	value, err := read(ctx)
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes == changes {
		c.value, c.at, c.took = value, time.Now(), time.Since(begun)
	}
	return value, nil
}

type vectors struct {
	version string
	rows    [][]float32
}

// versioned is a cache of values that belong to versions of documents: a search that reads
// further requests most of them again. The zero value is empty.
type versioned[T any] struct {
	mu          sync.Mutex
	bytes       int // of now
	now, before map[engine.Ref]T
}

const cachedBytes = 32 << 20

func (c *versioned[T]) get(ref engine.Ref) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, ok := c.now[ref]; ok {
		return x, true
	}
	x, ok := c.before[ref]
	return x, ok
}

// put keeps a value of some bytes. It drops the values that were not put since the cache was
// full the last time.
func (c *versioned[T]) put(ref engine.Ref, x T, bytes int) {
	const each = 200 // for what refers to them
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes += each + len(ref.Key); c.now == nil || c.bytes+bytes > cachedBytes {
		c.now, c.before, c.bytes = map[engine.Ref]T{}, c.now, 0
	}
	c.now[ref] = x
	c.bytes += bytes
}

// Lengths records the lengths of the vectors that were read. An index by inner product or
// distance has the order of cosines only if all lengths are 1. The zero value is ready.
type Lengths struct{ off atomic.Uint64 } // the bits of the largest difference from 1

// Unit scales a stored vector to length 1 in place and returns it, or nil for a vector
// without a direction: a zero vector is similar to nothing.
func (l *Lengths) Unit(v []float32) []float32 {
	off := math.Abs(vec.Norm(v) - 1)
	if storekit.Unit(v) != nil {
		return nil
	}
	for {
		old := l.off.Load()
		if off <= math.Float64frombits(old) || l.off.CompareAndSwap(old, math.Float64bits(off)) {
			return v
		}
	}
}

// Slack returns the error of a cosine that was computed from an inner product or a distance
// as if all lengths were 1, and whether they nearly are.
func (l *Lengths) Slack() (slack float64, ok bool) {
	const nearly, rounding = 1e-3, 1e-6
	off := math.Float64frombits(l.off.Load())
	// With the length r, 1 − d²/2 is off by (1−r²)/2 + (r−1)·cos.
	return 2*off + off*off + rounding, off < nearly
}
