package vec

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// ranked is the definition of TopK: sort everything and keep k.
func ranked(k int, base uint32, scores []float32) (ids []uint32) {
	for i, s := range scores {
		if s == s {
			ids = append(ids, base+uint32(i))
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(scores[b-base], scores[a-base]), cmp.Compare(a, b))
	})
	return ids[:min(k, len(ids))]
}

func checkTopK(t *testing.T, top *TopK, k int, base uint32, scores []float32) {
	t.Helper()
	want := ranked(k, base, scores)
	ids, got := top.Ranked()
	if !slices.Equal(ids, want) {
		t.Fatalf("k=%d of %d: got ids %v, want %v", k, len(scores), ids, want)
	}
	for i, id := range ids {
		if got[i] != scores[id-base] {
			t.Fatalf("k=%d of %d: score of %d: got %v, want %v", k, len(scores), id, got[i], scores[id-base])
		}
	}
}

func TestTopK(t *testing.T) {
	r := random(t)
	inf := float32(math.Inf(1))
	special := []float32{float32(math.NaN()), inf, -inf, 0, float32(math.Copysign(0, -1))}
	for _, n := range []int{0, 1, 2, 10, 100, 1000, 5000} {
		for _, k := range []int{0, 1, 2, 3, 10, 100, 999, 1000, 6000} {
			for _, distinct := range []int{1, 3, 50, 1 << 30} {
				scores := make([]float32, n)
				for i := range scores {
					scores[i] = float32(r.IntN(distinct)) - float32(distinct/2)
					if r.IntN(10) == 0 {
						scores[i] = special[r.IntN(len(special))]
					}
				}
				switch r.IntN(3) {
				case 0:
					slices.Sort(scores)
				case 1:
					slices.Sort(scores)
					slices.Reverse(scores)
				}
				const base = 1000
				whole, parts := NewTopK(k), [2]*TopK{NewTopK(k), NewTopK(k)}
				whole.Push(base, scores)
				var step int
				for i := 0; i < n; i += step {
					step = min(1+r.IntN(200), n-i)
					part := parts[r.IntN(2)]
					if r.IntN(2) == 0 {
						part.Push(base+uint32(i), scores[i:i+step])
						continue
					}
					ids := make([]uint32, step)
					for j := range ids {
						ids[j] = base + uint32(i+j)
					}
					part.PushIDs(ids, scores[i:i+step])
				}
				checkTopK(t, whole, k, base, scores)
				checkTopK(t, whole, k, base, scores) // Ranked changes nothing
				parts[0].Merge(parts[1])
				checkTopK(t, parts[0], k, base, scores)
			}
		}
	}
}

func FuzzTopK(f *testing.F) {
	f.Add(uint8(3), uint8(5), []byte("abcdefghijklmnopqrstuvwxyzabcdabcd"))
	f.Fuzz(func(t *testing.T, k, step uint8, data []byte) {
		scores := make([]float32, len(data)/4)
		for i := range scores {
			scores[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		top := NewTopK(int(k))
		for i := 0; i < len(scores); i += int(step) + 1 {
			top.Push(7+uint32(i), scores[i:min(i+int(step)+1, len(scores))])
		}
		checkTopK(t, top, int(k), 7, scores)
	})
}
