//go:build linux || darwin

package vec

import (
	"testing"

	"github.com/nsfl-go/nsfl/internal/guardpage"
)

func TestNoReadOutside(t *testing.T) {
	for _, atEnd := range []bool{true, false} {
		for _, d := range []int{1, 7, 8, 15, 16, 17, 31, 33, 64, 67, 130, 384} {
			const n = 35
			floats, v := guardpage.Slice[float32](t, n*d, atEnd), guardpage.Slice[float32](t, d, atEnd)
			scales, out := guardpage.Slice[float32](t, n, atEnd), guardpage.Slice[float32](t, n, atEnd)
			ids := guardpage.Slice[uint32](t, n, atEnd)
			v[0] = 1
			for i := range ids {
				ids[i] = uint32(n - 1 - i)
			}
			Dot(v, floats[:d])
			codes8 := guardpage.Slice[int8](t, n*d, atEnd)
			for q := 1; q <= MaxQueries; q++ {
				vs, columns := make([][]float32, q), make([][]float32, q)
				for j := range vs {
					vs[j], columns[j] = v, out
				}
				pack, _ := Pack(vs...)
				pack.Dots(columns, floats)
				pack.Gather(columns, floats, ids)
				pack8, _ := Pack8(vs...)
				pack8.Dots(columns, codes8, scales)
			}
		}
	}
}
