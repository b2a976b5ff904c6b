package nn

// instructions are sets of them that the kernels are made for.
type instructions int

const (
	plain instructions = iota // Go
	avx2
	vnni // AVX-512 with VNNI
)
