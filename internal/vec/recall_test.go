package vec

import (
	"math"
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
	for i := 0; i < len(rows); i += d {
		rotate(rows[i : i+d])
	}
	r := recall{d: d, rows: rows}
	step := len(strings) / d / queries
	for i := range queries {
		v := strings[i*step*d:][:d]
		rotate(v)
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

// rotate turns each pair of neighbouring components by 45 degrees.
func rotate(v []float32) {
	for i := range len(v) - 1 {
		a, b := v[i], v[i+1]
		v[i], v[i+1] = (a+b)*(math.Sqrt2/2), (b-a)*(math.Sqrt2/2)
	}
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

func TestRecall(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("encodes tens of thousands of vectors")
	}
	for _, set := range []string{"films.docs", "coco.pass"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			r := newRecall(t, set, 60)
			estimates := r.int8(t)
			for _, c := range []struct {
				k, candidates int
				want          float64
			}{
				{100, 100, 0.95},
				{1000, 1000, 0.97},
				{1000, 1100, 0.999},
			} {
				got := r.at(c.k, c.candidates, estimates)
				t.Logf("recall@%d from %d: %.4f", c.k, c.candidates, got)
				if got < c.want {
					t.Errorf("recall@%d from %d: got %.4f, want at least %g", c.k, c.candidates, got, c.want)
				}
			}
		})
	}
}
