package elastic

import "sync"

// version is one version of a document, whose vectors never change.
type version struct {
	id           string
	number, term int64
}

// remembered are vectors that were read lately: a search that goes on asks for most of them
// again, and they are most of what it reads. The zero value has none.
type remembered struct {
	mu          sync.Mutex
	bytes       int // of now
	now, before map[version][][]float32
}

// rememberedBytes is how much is remembered, twice at most.
const rememberedBytes = 32 << 20

func (r *remembered) get(v version) ([][]float32, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if rows, ok := r.now[v]; ok {
		return rows, true
	}
	rows, ok := r.before[v]
	if ok {
		r.put(v, rows)
	}
	return rows, ok
}

func (r *remembered) add(v version, rows [][]float32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(v, rows)
}

// put keeps vectors; where there are too many, those are forgotten that nobody has asked for
// since it was so the last time.
func (r *remembered) put(v version, rows [][]float32) {
	const each = 200 // for what refers to them
	size := each + len(v.id)
	for _, row := range rows {
		size += 4 * len(row)
	}
	if r.now == nil || r.bytes+size > rememberedBytes {
		r.now, r.before, r.bytes = map[version][][]float32{}, r.now, 0
	}
	r.now[v] = rows
	r.bytes += size
}
