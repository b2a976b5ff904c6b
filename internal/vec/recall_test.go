package vec

import (
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
)

// realVectors returns vectors of an encoder, row after row.
func realVectors(tb testing.TB, name string) (rows []float32, d int) {
	tb.Helper()
	vectors := frozen.Vectors(tb, name)
	return slices.Concat(vectors...), len(vectors[0])
}

// recall measures the share of the top k rows by exact product among the best candidates by
// estimate, over all queries.
type recall struct {
	d       int
	rows    []float32
	queries [][]float32
	exact   [][]float32 // all scores, one column per query
}

func newRecall(tb testing.TB, set string, queries int) recall {
	rows, d := realVectors(tb, set)
	strings, _ := realVectors(tb, "strings")
	// The vectors were stored as int8 with a scale per row, so Quantize8 would return exactly
	// the same codes. A rotation preserves all products and moves the vectors off that grid.
	turn := newRotation(d)
	for i := 0; i < len(rows); i += d {
		turn.apply(rows[i : i+d])
	}
	r := recall{d: d, rows: rows}
	step := len(strings) / d / queries
	for i := range queries {
		v := strings[i*step*d:][:d]
		turn.apply(v)
		p, err := Pack(v)
		if err != nil {
			tb.Fatal(err)
		}
		column := make([]float32, len(rows)/d)
		p.Dots([][]float32{column}, rows)
		r.queries = append(r.queries, v)
		r.exact = append(r.exact, column)
	}
	return r
}

func (r recall) at(k, candidates int, estimates [][]float32) float64 {
	found := 0
	for j := range estimates {
		want := top(k, r.exact[j])
		for id := range top(candidates, estimates[j]) {
			if want[id] {
				found++
			}
		}
	}
	return float64(found) / float64(k*len(estimates))
}

func top(k int, column []float32) map[uint32]bool {
	t := NewTopK(k)
	t.Push(0, column)
	ids, _ := t.Ranked()
	set := make(map[uint32]bool, k)
	for _, id := range ids {
		set[id] = true
	}
	return set
}

func (r recall) row(i int) []float32 { return r.rows[i*r.d : (i+1)*r.d] }

// estimates runs a scan for each query.
func (r recall) estimates(tb testing.TB, scan func(v []float32, out [][]float32) error) (columns [][]float32) {
	for _, v := range r.queries {
		column := make([]float32, len(r.rows)/r.d)
		if err := scan(v, [][]float32{column}); err != nil {
			tb.Fatal(err)
		}
		columns = append(columns, column)
	}
	return columns
}

func (r recall) int8(tb testing.TB) [][]float32 {
	scales := make([]float32, len(r.rows)/r.d)
	codes := make([]int8, len(r.rows))
	for i := range scales {
		scales[i] = Quantize8(codes[i*r.d:(i+1)*r.d], r.row(i))
	}
	return r.estimates(tb, func(v []float32, out [][]float32) error {
		p, err := Pack8(v)
		if err == nil {
			p.Dots(out, codes, scales)
		}
		return err
	})
}

func (r recall) signs(tb testing.TB) [][]float32 {
	scales := make([]float32, len(r.rows)/r.d)
	mean := make([]float32, r.d)
	for i := range scales {
		AddScaled(mean, r.row(i), 1/float32(len(scales)))
	}
	s, err := NewSigns(mean)
	if err != nil {
		tb.Fatal(err)
	}
	size := s.Size()
	codes := make([]byte, len(scales)*size)
	for i := range scales {
		scales[i] = s.Encode(codes[i*size:(i+1)*size], r.row(i))
	}
	return r.estimates(tb, func(v []float32, out [][]float32) error {
		p, err := s.Pack(v)
		if err == nil {
			p.Dots(out, codes, scales)
		}
		return err
	})
}

func TestRecall(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("encodes tens of thousands of vectors")
	}
	for _, set := range []string{"films.docs", "coco.pass"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			r := newRecall(t, set, 60)
			eight, one := r.int8(t), r.signs(t)
			for _, c := range []struct {
				code          string
				estimates     [][]float32
				k, candidates int
				want          float64
			}{
				{"int8", eight, 100, 100, 0.95},
				{"int8", eight, 1000, 1000, 0.97},
				{"int8", eight, 1000, 1100, 0.999},
				{"signs", one, 100, 1000, 0.95},
				{"signs", one, 100, 4000, 0.99},
				{"signs", one, 1000, 4000, 0.9},
				{"signs", one, 1000, 6000, 0.97},
				{"signs", one, 1000, 8000, 0.98},
			} {
				got := r.at(c.k, c.candidates, c.estimates)
				t.Logf("%-5s recall@%d from %d: %.4f", c.code, c.k, c.candidates, got)
				if got < c.want {
					t.Errorf("%s: recall@%d from %d is %.4f, want at least %g", c.code, c.k, c.candidates, got, c.want)
				}
			}
		})
	}
}
