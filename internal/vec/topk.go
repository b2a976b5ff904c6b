package vec

import (
	"math"
	"math/bits"
	"slices"
)

// TopK selects the k largest scores of a stream. Equal scores are ordered by id, the lower
// first, whatever order they arrived in. NaN is never selected, so callers can exclude a row
// by setting its score to NaN.
//
// It keeps up to 2k candidates unsorted. When they are full, it drops the smaller half, and
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

// shrink drops all but the k largest keys.
func (t *TopK) shrink() {
	if len(t.keys) <= t.k || t.k == 0 {
		return
	}
	selectLargest(t.keys, t.k)
	t.keys = t.keys[:t.k]
	t.least = slices.Min(t.keys)
	_, t.floor = unkey(t.least)
}

// Ranked returns the scores selected so far, best first.
func (t *TopK) Ranked() (ids []uint32, scores []float32) {
	t.shrink()
	keys := slices.Clone(t.keys)
	slices.Sort(keys)
	slices.Reverse(keys)
	ids = make([]uint32, len(keys))
	scores = make([]float32, len(keys))
	for i, k := range keys {
		ids[i], scores[i] = unkey(k)
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

// selectLargest moves the k largest of keys, 0 < k < len(keys), to the front. It uses
// quickselect and falls back to sorting if the pivots are bad.
func selectLargest(keys []uint64, k int) {
	for tries := 2 * bits.Len(uint(len(keys))); ; tries-- {
		if tries == 0 {
			slices.Sort(keys)
			slices.Reverse(keys)
			return
		}
		// Median of three, then Hoare's partition: keys[:j+1] are not below
		// the pivot, keys[j+1:] not above.
		a, pivot, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		pivot = max(min(a, pivot), min(max(a, pivot), c))
		i, j := -1, len(keys)
		for {
			for i++; keys[i] > pivot; i++ {
			}
			for j--; keys[j] < pivot; j-- {
			}
			if i >= j {
				break
			}
			keys[i], keys[j] = keys[j], keys[i]
		}
		switch {
		case j+1 == k:
			return
		case j+1 > k:
			keys = keys[:j+1]
		default:
			keys, k = keys[j+1:], k-(j+1)
		}
	}
}
