package fieldstats

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/internal/predicate"
)

// histogram counts numbers, one by one while they are few, and then by ranges that begin at
// multiples of a round width.
type histogram struct {
	counts map[float64]int // of numbers or, with a width, of ranges by their place
	width  *width          // nil: numbers are counted one by one
}

// widest is the largest exponent of a width.
const widest = 308

// finest is how many numbers or ranges are kept apart.
const finest = 4096

// width is mantissa · 10^exponent, and the mantissa 1, 2 or 5.
type width struct{ mantissa, exponent int }

func (w width) next() width {
	switch w.mantissa {
	case 1:
		return width{2, w.exponent}
	case 2:
		return width{5, w.exponent}
	}
	return width{1, w.exponent + 1}
}

// bound is the beginning of the range at a place, as exact as a float64 can be.
func (w width) bound(place float64) float64 {
	x := place * float64(w.mantissa)
	if w.exponent < 0 {
		return x / math.Pow10(-w.exponent)
	}
	return x * math.Pow10(w.exponent)
}

// place returns the index of the range that contains a number.
func (w width) place(x float64) float64 {
	p := math.Floor(x / w.bound(1))
	switch { // what division has rounded
	case x < w.bound(p):
		p--
	case x >= w.bound(p+1):
		p++
	}
	return p
}

// wide returns the first width of a sequence that needs at most the given number of ranges.
func wide(from width, least, most float64, ranges int, next func(width) width) width {
	for w := from; ; w = next(w) {
		if n := w.place(most) - w.place(least); n < float64(ranges) || w.exponent >= widest {
			return w
		}
	}
}

// first is a width that is surely narrow enough for numbers from least to most.
func first(least, most float64) width {
	spread := (most - least) / (2 * finest)
	if !(spread > 0) || math.IsInf(spread, 0) {
		return width{1, widest - 20}
	}
	return width{1, max(-widest, int(math.Floor(math.Log10(spread)))-1)}
}

// nested returns the next width that is a multiple of w: 1, 5, 10, 50.
func nested(w width) width {
	if w.mantissa == 1 {
		return width{5, w.exponent}
	}
	return width{1, w.exponent + 1}
}

func (h *histogram) add(x float64, n int) {
	key := x
	if h.width != nil {
		key = h.width.place(x)
	}
	if h.counts[key] += n; len(h.counts) > finest {
		h.coarsen()
	}
}

// all returns the numbers, or the beginnings of the ranges, in order, with their counts.
func (h *histogram) all() (numbers []float64, counts []int) {
	for _, key := range slices.Sorted(maps.Keys(h.counts)) {
		counts = append(counts, h.counts[key])
		if h.width != nil {
			key = h.width.bound(key)
		}
		numbers = append(numbers, key)
	}
	return numbers, counts
}

// coarsen makes half as many ranges, or fewer.
func (h *histogram) coarsen() {
	numbers, counts := h.all()
	least, most := numbers[0], numbers[len(numbers)-1]
	from := first(least, most)
	if h.width != nil {
		from = nested(*h.width)
	}
	w := wide(from, least, most, finest/2, nested)
	h.counts, h.width = map[float64]int{}, &w
	for i, x := range numbers {
		h.counts[w.place(x)] += counts[i]
	}
}

// distinct is how many numbers there are, at least.
func (h *histogram) distinct() int {
	if h.width != nil {
		return max(finest, len(h.counts))
	}
	return len(h.counts)
}

// values are the numbers in order; it reports whether each is one.
func (h *histogram) values() (out []Bucket, exact bool) {
	numbers, counts := h.all()
	for i, x := range numbers {
		out = append(out, Bucket{Value: spelled(x), Count: counts[i]})
	}
	return out, h.width == nil
}

// ranges returns at most `most` ranges of one round width, in order, without empty ones.
func (h *histogram) ranges(most int) ([]Bucket, layout) {
	numbers, counts := h.all()
	low, high := numbers[0], numbers[len(numbers)-1]
	from := first(low, high)
	if h.width != nil {
		from = width{1, h.width.exponent + 1} // which is made of whole ones, be it narrower than can be
	}
	w := wide(from, low, high, most, width.next)
	var out []Bucket
	at := map[float64]int{}
	for i, x := range numbers {
		place := w.place(x)
		if _, known := at[place]; !known {
			at[place] = len(out)
			out = append(out, Bucket{From: spelled(w.bound(place)), To: spelled(w.bound(place + 1))})
		}
		out[at[place]].Count += counts[i]
	}
	return out, func(v *predicate.Value) int {
		if i, ok := at[w.place(v.Number)]; ok && v.IsNumber {
			return i
		}
		return -1
	}
}

// spelled is a number as conditions have it.
func spelled(x float64) string {
	format, x := byte('f'), min(max(x, -math.MaxFloat64), math.MaxFloat64)
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e15) {
		format = 'g'
	}
	return strconv.FormatFloat(x+0, format, -1, 64) // no −0
}
