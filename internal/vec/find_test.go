package vec

import "testing"

// TestFind compares the assembly with Go for every length up to some dozens and every
// position of the target.
func TestFind(t *testing.T) {
	r := random(t)
	for n := range 140 {
		for at := -1; at < n; at++ {
			numbers := guard[uint16](n, 0, 7) // a target, in case find reads outside
			for i := range numbers.v {
				numbers.v[i] = uint16(100 + r.IntN(60_000))
			}
			targets := []uint16{7, 8, 65535, 9, 10, 11, 12, 13}[:1+r.IntN(FindMax)]
			want := n
			if at >= 0 {
				numbers.v[at] = targets[r.IntN(len(targets))]
				want = at
			}
			if got := Find(numbers.v, targets); got != want {
				t.Fatalf("%d numbers: got %[3]d, want %[2]d", n, at, got)
			}
			numbers.check(t, "find")
		}
	}
	if Find(nil, []uint16{1}) != 0 || Find([]uint16{1, 2}, nil) != 2 {
		t.Error("empty numbers or targets must find nothing")
	}
}

func BenchmarkFind(b *testing.B) {
	numbers, targets := make([]uint16, 1<<20), []uint16{1, 2, 3, 4, 5, 6, 7, 8}
	var all [FindMax]uint16
	copy(all[:], targets)
	for i := range numbers {
		numbers[i] = uint16(100 + i%30_000)
	}
	for name, f := range map[string]func([]uint16, *[FindMax]uint16) int{"best": find, "go": findGo} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(2 * int64(len(numbers)))
			for b.Loop() {
				f(numbers, &all)
			}
		})
	}
}
