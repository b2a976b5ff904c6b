package remote

import (
	"sync"

	"github.com/nsfl-go/nsfl/engine"
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
