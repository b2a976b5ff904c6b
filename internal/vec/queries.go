package vec

import "fmt"

// MaxQueries is the maximum number of query vectors in one pass.
const MaxQueries = 8

// groupMax is the maximum number of queries in a kernel call: four queries and two rows make
// eight accumulators, enough to keep both multipliers busy.
const groupMax = 4

// Queries holds one to eight query vectors packed for a single pass over rows.
// It is immutable and safe for concurrent use.
type Queries struct {
	d, n   int
	groups []group[float32]
}

// group holds up to four queries interleaved in chunks of eight elements, the last padded
// with zeros: chunk c of query j starts at element (c*n+j)*8.
type group[T any] struct {
	first, n int
	packed   []T
}

// Pack packs one to eight vectors of the same nonzero dimension.
func Pack(vs ...[]float32) (*Queries, error) {
	d, err := dimension(vs)
	if err != nil {
		return nil, err
	}
	q := &Queries{d: d, n: len(vs)}
	for first, n := range groups(len(vs)) {
		q.groups = append(q.groups, group[float32]{first, n, interleave(vs[first:first+n], lanes)})
	}
	return q, nil
}

// dimension returns the common dimension of vs.
func dimension(vs [][]float32) (int, error) {
	if len(vs) < 1 || len(vs) > MaxQueries {
		return 0, fmt.Errorf("packing queries: %d vectors, want 1 to %d", len(vs), MaxQueries)
	}
	d := len(vs[0])
	if d == 0 {
		return 0, fmt.Errorf("packing queries: vectors of dimension 0")
	}
	for i, v := range vs {
		if len(v) != d {
			return 0, fmt.Errorf("packing queries: vector %d has dimension %d, vector 0 has %d", i, len(v), d)
		}
	}
	return d, nil
}

// groups yields the first query and the size of each group. It uses as few groups as
// possible, of sizes as equal as possible.
func groups(n int) func(yield func(first, size int) bool) {
	return func(yield func(first, size int) bool) {
		count := (n + groupMax - 1) / groupMax
		for g := range count {
			first := g * n / count
			if !yield(first, (g+1)*n/count-first) {
				return
			}
		}
	}
}

// interleave arranges vs in chunks of width elements: chunk c of vs[j] starts at
// (c*len(vs)+j)*width. The rest is zero.
func interleave[T any](vs [][]T, width int) []T {
	chunks := (len(vs[0]) + width - 1) / width
	packed := make([]T, chunks*len(vs)*width)
	for j, v := range vs {
		for c := range chunks {
			copy(packed[(c*len(vs)+j)*width:][:width], v[c*width:])
		}
	}
	return packed
}

// Len returns the number of queries.
func (q *Queries) Len() int { return q.n }

// Dots sets out[j][i] to the inner product of query j and row i, reading rows once. rows is
// row-major, and its length a multiple of the dimension; out has a column for each query, at
// least as long as there are rows. The value of a product depends only on its two vectors,
// not on the row's position or on the other queries, and equals Dot's. Dots panics if the
// shapes do not match.
func (q *Queries) Dots(out [][]float32, rows []float32) {
	n := rowCount(len(rows), q.d)
	checkColumns(out, q.n, n)
	step := blockRows(4 * q.d)
	for at := 0; at < n; at += step {
		block := rows[at*q.d : min(at+step, n)*q.d]
		for _, g := range q.groups {
			dots(out[g.first:g.first+g.n], at, g.packed, block, q.d)
		}
	}
}

// Gather sets out[j][i] to the inner product of query j and row ids[i]. It prefetches the
// next rows. It panics if the shapes do not match or an id is not below the number of rows.
func (q *Queries) Gather(out [][]float32, rows []float32, ids []uint32) {
	n := rowCount(len(rows), q.d)
	checkColumns(out, q.n, len(ids))
	for _, id := range ids {
		if uint64(id) >= uint64(n) {
			panic(fmt.Sprintf("vec: row %d of %d", id, n))
		}
	}
	step := blockRows(4 * q.d)
	for at := 0; at < len(ids); at += step {
		for _, g := range q.groups {
			gather(out[g.first:g.first+g.n], at, g.packed, rows, ids, min(step, len(ids)-at), q.d)
		}
	}
}

// blockRows returns how many rows of the given size to pass to a kernel at once: few enough
// to stay in the L2 cache for the second group of queries, and to keep the time in assembly
// short, since it cannot be preempted.
func blockRows(rowBytes int) int {
	const blockBytes = 192 << 10
	return min(max(blockBytes/rowBytes&^3, 4), 256)
}

func rowCount(length, d int) int {
	if length%d != 0 {
		panic(fmt.Sprintf("vec: %d elements are not rows of dimension %d", length, d))
	}
	return length / d
}

func checkColumns(out [][]float32, q, n int) {
	if len(out) != q {
		panic(fmt.Sprintf("vec: %d columns for %d queries", len(out), q))
	}
	for j := range out {
		if len(out[j]) < n {
			panic(fmt.Sprintf("vec: column %d holds %d of %d rows", j, len(out[j]), n))
		}
	}
}
