//go:build linux && amd64 && !noasm

package vec

// read reads v and discards it, as a baseline for the benchmarks.
func read(v []float32) float32 {
	if n := len(v) &^ 63; simd && n > 0 {
		readAVX2(&v[0], n)
		return 0
	}
	return readGo(v)
}
