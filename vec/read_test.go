//go:build linux && (!amd64 || noasm)

package vec

// read reads v and makes nothing of it: what the benchmarks measure against.
func read(v []float32) float32 { return readGo(v) }
