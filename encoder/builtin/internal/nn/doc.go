// Package nn has the arithmetic of a transformer's layers: linear layers over int8
// weights, products of small matrices, softmax, GELU, and normalization.
//
// Activations are rounded to eight bits, each token's by itself and each group of 64
// columns by a step and a zero of its own, so that the few columns that are far larger
// than the rest do not take their precision. A linear layer is then an exact product of
// integers, and the same to the last bit whatever instructions compute it, and whatever
// tokens are computed with it.
//
// What the processor has decides which kernels run: AVX-512 with VNNI, AVX2, or Go. Those
// in Go are the specification of the others, which tools/kernels generates.
//
// The package knows numbers, nothing of texts, tokens' ids or encoders.
package nn
