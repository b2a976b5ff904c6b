package vec

import (
	"math"
	"slices"
)

// TopK selects the k largest scores of a stream. Equal scores are ordered by id, the lower
// first, whatever order they arrived in. NaN is never selected, so callers can exclude a row
// by setting its score to NaN.
//
// It keeps up to 2k candidates. When they are full, it sorts them and drops the smaller half;
// the smallest of the rest becomes the score to beat.
type TopK struct {
	k     int
	keys  []uint64
	least uint64  // keys up to this one are too small
	floor float32 // the score of least
}

// NewTopK returns a selector of k scores; k may exceed the number of scores.
func NewTopK(k int) *TopK {
	t := &TopK{k: k, floor: float32(math.Inf(-1))}
	if k == 0 {
		t.least = math.MaxUint64
	}
	return t
}

// Push adds a column of scores: scores[i] is the score of id base+i.
func (t *TopK) Push(base uint32, scores []float32) {
	for i, s := range scores {
		if s >= t.floor {
			t.add(key(base+uint32(i), s))
		}
	}
}

// PushIDs adds scores[i] for ids[i].
func (t *TopK) PushIDs(ids []uint32, scores []float32) {
	for i, s := range scores {
		if s >= t.floor {
			t.add(key(ids[i], s))
		}
	}
}

// Merge adds the scores selected by o.
func (t *TopK) Merge(o *TopK) {
	for _, k := range o.keys {
		t.add(k)
	}
}

func (t *TopK) add(k uint64) {
	if k <= t.least {
		return
	}
	t.keys = append(t.keys, k)
	if len(t.keys) == 2*t.k {
		t.shrink()
	}
}

// shrink sorts the keys and drops all but the k largest.
func (t *TopK) shrink() {
	slices.Sort(t.keys)
	if drop := len(t.keys) - t.k; drop > 0 {
		t.keys = slices.Delete(t.keys, 0, drop)
		t.least = t.keys[0]
		_, t.floor = unkey(t.least)
	}
}

// Ranked returns the scores selected so far, best first.
func (t *TopK) Ranked() (ids []uint32, scores []float32) {
	t.shrink()
	for _, k := range slices.Backward(t.keys) {
		id, score := unkey(k)
		ids, scores = append(ids, id), append(scores, score)
	}
	return ids, scores
}

// key returns a key ordered by score and, for equal scores, by descending id. It is never 0,
// which would be the key of NaN.
func key(id uint32, score float32) uint64 {
	b := math.Float32bits(score + 0) // -0 becomes 0
	if b>>31 == 1 {
		b = ^b
	} else {
		b |= 1 << 31
	}
	return uint64(b)<<32 | uint64(^id)
}

func unkey(k uint64) (id uint32, score float32) {
	b := uint32(k >> 32)
	if b>>31 == 1 {
		b &^= 1 << 31
	} else {
		b = ^b
	}
	return ^uint32(k), math.Float32frombits(b)
}
