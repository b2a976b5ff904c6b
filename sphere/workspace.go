package sphere

import "sync"

// workspace is scratch memory for one call of Exact. Formulas are small, so nearly all of
// them are solved with no allocation except the result.
type workspace struct {
	floats  [2048]float64
	lists   [256][]float64
	ints    [128]int
	nfloats int
	nlists  int
	span    span
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// vector returns a zeroed slice of n numbers.
func (w *workspace) vector(n int) []float64 {
	if w.nfloats+n > len(w.floats) {
		return make([]float64, n)
	}
	v := w.floats[w.nfloats:][:n:n]
	w.nfloats += n
	clear(v)
	return v
}

func (w *workspace) copied(v []float64) []float64 {
	c := w.vector(len(v))
	copy(c, v)
	return c
}

// list returns an empty list with capacity for n vectors.
func (w *workspace) list(n int) [][]float64 {
	if w.nlists+n > len(w.lists) {
		return make([][]float64, 0, n)
	}
	l := w.lists[w.nlists:][:0:n]
	w.nlists += n
	return l
}

func (w *workspace) matrix(rows, columns int) [][]float64 {
	m := w.list(rows)
	for range rows {
		m = append(m, w.vector(columns))
	}
	return m
}

// terms returns two empty lists with capacity for n numbers each.
func (w *workspace) terms(n int) (a, b []int) {
	if 2*n > len(w.ints) {
		return make([]int, 0, n), make([]int, 0, n)
	}
	return w.ints[:0:n], w.ints[n : n : 2*n]
}

// mark returns how much is in use; release frees everything taken since.
func (w *workspace) mark() (floats, lists int) { return w.nfloats, w.nlists }

func (w *workspace) release(floats, lists int) { w.nfloats, w.nlists = floats, lists }
