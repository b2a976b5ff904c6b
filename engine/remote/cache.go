package remote

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// version is one version of a document, whose vectors never change.
type version struct {
	ref     engine.Ref
	version string
}

// vectorCache keeps vectors that were read lately, by the version of their documents: a
// search that goes on asks for most of them again. The zero value is empty.
type vectorCache struct {
	mu          sync.Mutex
	bytes       int // of now
	now, before map[version][][]float32
}

// cachedBytes is how much is kept, twice at most.
const cachedBytes = 32 << 20

// get returns the vectors of a version of a document; nil: they are not kept.
func (c *vectorCache) get(v version) [][]float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if rows, ok := c.now[v]; ok {
		return rows
	}
	rows := c.before[v]
	if rows != nil {
		c.add(v, rows)
	}
	return rows
}

// put keeps the vectors of a document whose version is known.
func (c *vectorCache) put(v version, rows [][]float32) {
	if v.version == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(v, rows)
}

// add drops the vectors that were not used since the cache was full the last time.
func (c *vectorCache) add(v version, rows [][]float32) {
	const each = 200 // for what refers to them
	size := each + len(v.ref.Key)
	for _, row := range rows {
		size += 4 * len(row)
	}
	if c.now == nil || c.bytes+size > cachedBytes {
		c.now, c.before, c.bytes = map[version][][]float32{}, c.now, 0
	}
	c.now[v] = rows
	c.bytes += size
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
