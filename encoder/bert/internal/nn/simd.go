package nn

// instructions is an instruction set for which there are kernels.
type instructions int

const (
	plain instructions = iota // plain Go
	avx2
	vnni // AVX-512 with VNNI
)
