package fieldstats

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/internal/predicate"
)

// maxDistinct is how many numbers of a field are counted, and how many days: as many as the
// stores report that count values themselves.
const maxDistinct = 1 << 17

// widest is the largest exponent of a width.
const widest = 308

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

// narrow returns a width that is surely too narrow for the ranges of a facet.
func narrow(least, most float64) width {
	spread := (most - least) / (64 * MaxFacetSize)
	if !(spread > 0) || math.IsInf(spread, 0) {
		return width{1, widest - 20}
	}
	return width{1, max(-widest, int(math.Floor(math.Log10(spread)))-1)}
}

// ranges returns at most `most` ranges of one round width, in order, without empty ones.
func ranges(counts map[float64]int, most int) ([]Bucket, layout) {
	numbers := slices.Sorted(maps.Keys(counts))
	low, high := numbers[0], numbers[len(numbers)-1]
	w := narrow(low, high)
	for w.place(high)-w.place(low) >= float64(most) && w.exponent < widest {
		w = w.next()
	}
	var out []Bucket
	at := map[float64]int{}
	for _, x := range numbers {
		place := w.place(x)
		if _, known := at[place]; !known {
			at[place] = len(out)
			out = append(out, Bucket{From: spelled(w.bound(place)), To: spelled(w.bound(place + 1))})
		}
		out[at[place]].Count += counts[x]
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
