//go:build linux && (!amd64 || noasm)

package vec

// read reads v and discards it, as a baseline for the benchmarks.
func read(v []float32) float32 { return readGo(v) }
