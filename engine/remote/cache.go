package remote

import "sync"

// vectorCache keeps vectors that were read lately, by the version of their documents: a
// search that goes on asks for most of them again. The zero value is empty.
type vectorCache struct {
	mu          sync.Mutex
	bytes       int // of now
	now, before map[Hit][][]float32
}

// cachedBytes is how much is kept, twice at most.
const cachedBytes = 32 << 20

// get returns the vectors of a version of a document; nil: they are not kept.
func (c *vectorCache) get(h Hit) [][]float32 {
	h.Score = 0
	c.mu.Lock()
	defer c.mu.Unlock()
	if rows, ok := c.now[h]; ok {
		return rows
	}
	rows := c.before[h]
	if rows != nil {
		c.add(h, rows)
	}
	return rows
}

// put keeps the vectors of a document whose version is known.
func (c *vectorCache) put(h Hit, rows [][]float32) {
	if h.Version == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(h, rows)
}

// add drops what nobody has asked for since the cache was full the last time.
func (c *vectorCache) add(h Hit, rows [][]float32) {
	const each = 200 // for what refers to them
	size := each + len(h.Ref.Key)
	for _, row := range rows {
		size += 4 * len(row)
	}
	if c.now == nil || c.bytes+size > cachedBytes {
		c.now, c.before, c.bytes = map[Hit][][]float32{}, c.now, 0
	}
	c.now[h] = rows
	c.bytes += size
}
