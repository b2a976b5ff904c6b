package index

import "math/bits"

// bitmap is a set of slots. It is immutable once shared.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

// fullBitmap returns the set of slots 0 to n-1.
func fullBitmap(n int) bitmap {
	b := newBitmap(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}

// grown returns a copy with room for n slots.
func (b bitmap) grown(n int) bitmap {
	g := newBitmap(n)
	copy(g, b)
	return g
}

func (b bitmap) set(i int) { b[i/64] |= 1 << (i % 64) }

// has reports whether i is in the set. i may be out of range.
func (b bitmap) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 == 1 }

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// remove deletes the elements of o, which may be shorter than b.
func (b bitmap) remove(o bitmap) {
	for i, w := range o[:min(len(o), len(b))] {
		b[i] &^= w
	}
}

// keep intersects b with o, which must have the same length.
func (b bitmap) keep(o bitmap) {
	for i := range b {
		b[i] &= o[i]
	}
}

// add unions b with o, which must have the same length.
func (b bitmap) add(o bitmap) {
	for i, w := range o {
		b[i] |= w
	}
}

// appendSlots appends the slots from lo to hi-1 that are in the set. lo is a
// multiple of 64.
func (b bitmap) appendSlots(slots []uint32, lo, hi int) []uint32 {
	for at := lo; at < hi; at += 64 {
		for w := b[at/64]; w != 0; w &= w - 1 {
			slots = append(slots, uint32(at+bits.TrailingZeros64(w)))
		}
	}
	return slots
}
