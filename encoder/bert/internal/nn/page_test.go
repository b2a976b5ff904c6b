//go:build linux || darwin

package nn

import (
	"testing"

	"github.com/nsfl-go/nsfl/internal/guardpage"
)

func TestNothingOutside(t *testing.T) {
	each(t, func(t *testing.T) {
		if best == plain {
			t.Skip("Go checks bounds itself")
		}
		for _, atEnd := range []bool{true, false} {
			floats := func(n int) []float32 { return guardpage.Slice[float32](t, n, atEnd) }
			for _, tokens := range []int{1, 2, 3, 4, 5, 6, 7, 11} {
				for _, columns := range []int{64, 384, 1536} {
					const rows = 64
					l, err := NewLinear(guardpage.Slice[int8](t, rows*columns, atEnd), floats(rows), floats(rows))
					if err != nil {
						t.Fatal(err)
					}
					weights, sums := guardpage.Slice[int8](t, len(l.weights), atEnd), guardpage.Slice[int32](t, len(l.sums), atEnd)
					copy(weights, l.weights)
					copy(sums, l.sums)
					l.weights, l.sums = weights, sums
					x := floats(tokens * columns)
					groups := columns / groupOf(columns)
					r := Rounded{
						codes8: guardpage.Slice[uint8](t, len(x), atEnd), codes16: guardpage.Slice[int16](t, len(x), atEnd),
						zeros: guardpage.Slice[int32](t, groups*tokens, atEnd), steps: floats(groups * tokens),
					}
					r.Set(x, columns)
					l.Apply(floats(tokens*rows), &r)
					AddNorm(x, floats(len(x)), columns, floats(columns), floats(columns), 1e-12)
					GELU(x)
				}
				for _, n := range []int{16, 48} {
					a, b := Matrix{floats(tokens * 5), 5}, Matrix{floats(5 * n), n}
					c := Matrix{floats(tokens * n), n}
					Product(c, a, b, tokens, 5, n)
					Softmax(c, tokens, n-3, 1)
				}
				Expand(floats(8*tokens), guardpage.Slice[int8](t, 8*tokens, atEnd), 1)
			}
		}
	})
}
