package screening

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tail of the hypergeometric distribution is compared with an enumeration of all draws.
func TestHypergeometricTail(t *testing.T) {
	for unread := range 6 {
		for read := range 6 {
			for k := range unread + read + 1 {
				for least := range k + 1 {
					hits, all := 0, 0
					for set := range 1 << (unread + read) {
						marked, missed := 0, 0
						for bit := range unread + read {
							if set>>bit&1 == 1 {
								marked++
								if bit < unread {
									missed++
								}
							}
						}
						if marked == k {
							all++
							if missed >= least {
								hits++
							}
						}
					}
					want := float64(hits) / float64(all)
					if got := hypergeometricTail(unread, read, k, least); math.Abs(got-want) > 1e-9 {
						t.Fatalf("hypergeometricTail(%d, %d, %d, %d): got %v, want %v", unread, read, k, least, got, want)
					}
				}
			}
		}
	}
}

// The best windows start right after an inclusion: no other window has a smaller p value.
func TestMissedChance(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		total := 20 + rng.IntN(200)
		read := make([]bool, 1+rng.IntN(total))
		var every, after []int
		included := 0
		after = append(after, 0)
		for i := range read {
			if read[i] = rng.Float64() < 0.2; read[i] {
				included++
				after = append(after, i+1)
			}
		}
		if included == 0 {
			continue
		}
		missed := int(math.Floor(float64(included)/TargetRecall+1e-9)) - included + 1
		want := 1.0
		for start := range len(read) + 1 {
			inside := 0
			for _, l := range read[start:] {
				if l {
					inside++
				}
			}
			every = append(every, start)
			want = min(want, hypergeometricTail(total-len(read), len(read)-start, inside+missed, missed))
		}
		if got := missedChance(total, len(read), after); math.Abs(got-want) > 1e-9 {
			t.Fatalf("seed %d: got %v, want %v over %d windows", seed, got, want, len(every))
		}
	}
}

func TestStopAfter(t *testing.T) {
	none := make([]bool, 100)
	if s := stopAfter(1000, none); s.Reached || s.P != 1 || s.More != 900 {
		t.Errorf("without an inclusion: got %+v, want no statement and 900 more", s)
	}
	read := append(slices.Repeat([]bool{true}, 20), make([]bool, 100)...)
	s := stopAfter(1000, read)
	if s.Reached || s.More <= 0 || s.More > 880 {
		t.Fatalf("after 120 records: got %+v, want a number of further records", s)
	}
	// More is exact: the claim holds after that many exclusions, and not one earlier.
	if got := stopAfter(1000, append(read, make([]bool, s.More)...)); !got.Reached {
		t.Errorf("after %d more: got %+v, want it reached", s.More, got)
	}
	if got := stopAfter(1000, append(read, make([]bool, s.More-1)...)); got.Reached {
		t.Errorf("after %d more: got %+v, want it not reached", s.More-1, got)
	}
	if got := stopAfter(3, []bool{false, false, false}); !got.Reached {
		t.Errorf("after all records: got %+v, want it reached", got)
	}
}

func TestElude(t *testing.T) {
	// Clopper–Pearson intervals from quantiles of the beta distribution.
	for _, test := range []struct {
		n, k      int
		low, high float64
	}{{100, 0, 0, 0.0362167}, {100, 1, 0.0002531460, 0.0544594}, {20, 20, 0.8315665, 1}, {50, 5, 0.0332751, 0.2181354}} {
		if e := elude(test.n, test.k); math.Abs(e.Low-test.low) > 1e-6 || math.Abs(e.High-test.high) > 1e-6 {
			t.Errorf("%d of %d: got %v to %v, want %v to %v", test.k, test.n, e.Low, e.High, test.low, test.high)
		}
	}
}
