// Package nn implements the arithmetic of transformer layers: linear layers with int8
// weights, products of small matrices, softmax, GELU, and layer normalization.
//
// Activations are quantized to eight bits, token by token. Each group of 64 columns has
// its own scale and zero point, so the few columns with very large values do not cost the
// others their precision. A linear layer is then an exact integer product: its result is
// the same to the last bit whichever instructions compute it and whichever tokens are
// computed alongside.
//
// The processor decides which kernels run: AVX-512 with VNNI, AVX2, or Go. The Go
// functions specify the other kernels, which tools/kernels generates.
//
// The package knows about numbers, but not about texts, token ids or encoders.
package nn
