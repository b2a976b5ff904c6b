//go:build !amd64 || noasm

package nn

var best = plain

func linear(out []float32, stride int, b *blockOf, x *Rounded, first, n int) {
	linearGo(out, stride, b, x, first, n)
}

func round(r *Rounded, token int, row []float32) { roundGo(r, token, row) }

func product(c, a, b Matrix, rows, k, columns int) { productGo(c, a, b, rows, k, columns) }

func softmax(row []float32, scale float32) { softmaxGo(row, scale) }

func gelu(x []float32) { geluGo(x) }

func addNorm(x, add, weight, bias []float32, epsilon float32) {
	addNormGo(x, add, weight, bias, epsilon)
}
