package vec

import "testing"

// TestLanes holds the assembly against its twin, for every length up to some dozens and
// every place of a number that stops it.
func TestLanes(t *testing.T) {
	r := random(t)
	table := make([][LaneCount]byte, 1<<16)
	for i := range table {
		for j := range table[i] {
			table[i][j] = byte(r.IntN(256)) & byte(r.IntN(256)) & byte(r.IntN(256))
		}
	}
	for n := range 70 {
		for stopAt := -1; stopAt < n; stopAt++ {
			numbers := guard[uint16](n, 0, 0xFFFF)
			for i := range numbers.v {
				numbers.v[i] = uint16(3 + r.IntN(1<<16-3))
			}
			if stopAt >= 0 {
				numbers.v[stopAt] = uint16(r.IntN(3))
			}
			var acc, twin [LaneCount]byte
			acc[3], twin[3] = 7, 7
			got, want := Lanes(&acc, table, numbers.v, 2), lanesGo(&twin, table, numbers.v, 2)
			if got != want || acc != twin {
				t.Fatalf("%d numbers, stopping at %d: %d and %v, want %d and %v", n, stopAt, got, acc, want, twin)
			}
			numbers.check(t, "lanes")
		}
	}
}

func TestLanesRefusesShortTables(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a short table was read")
		}
	}()
	var acc [LaneCount]byte
	Lanes(&acc, make([][LaneCount]byte, 10), []uint16{1}, 0)
}

func BenchmarkLanes(b *testing.B) {
	r := random(b)
	table, numbers := make([][LaneCount]byte, 1<<16), make([]uint16, 1<<20)
	for i := range numbers {
		// Words are not equally common: half of all pieces are among some hundreds.
		numbers[i] = uint16(3 + r.IntN(1+r.IntN(1+r.IntN(30_000))))
	}
	for name, f := range map[string]func(*[LaneCount]byte, [][LaneCount]byte, []uint16, uint16) int{"best": Lanes, "go": lanesGo} {
		b.Run(name, func(b *testing.B) {
			var acc [LaneCount]byte
			for b.Loop() {
				for at := 0; at < len(numbers); at += 80 {
					f(&acc, table, numbers[at:min(at+80, len(numbers))], 2)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(numbers)), "ns/piece")
		})
	}
}
