//go:build amd64 && !noasm

package nn

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../../../tools/kernels . -out ../../encoder/bert/internal/nn/kernels_amd64.s -stubs ../../encoder/bert/internal/nn/kernels_amd64.go -pkg nn

// best is the newest instruction set that the processor supports.
var best = func() instructions {
	switch x := cpu.X86; {
	case x.HasAVX2 && x.HasFMA && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI:
		return vnni
	case x.HasAVX2 && x.HasFMA:
		return avx2
	}
	return plain
}()

func linear(out []float32, stride int, b *blockOf, x *Rounded, first, n int) {
	if best == plain {
		linearGo(out, stride, b, x, first, n)
		return
	}
	if n < Tile { // compute a whole tile and keep the first tokens
		var tile [Tile * blockRows]float32
		linear(tile[:], blockRows, b, x, first, Tile)
		for t := range n {
			copy(out[t*stride:], tile[t*blockRows:][:blockRows])
		}
		return
	}
	_ = out[(Tile-1)*stride+blockRows-1]
	const size = 4 // bytes per step and per zero
	groups, group, between := x.columns/x.group, x.group, size*x.stride
	o, w, sums, scales, bias := &out[0], &b.weights[0], &b.sums[0], &b.scales[0], &b.bias[0]
	zeros, steps := &x.zeros[first], &x.steps[first]
	if best == vnni {
		linearVNNI(o, size*stride, &x.codes8[first*x.columns], x.columns, zeros, steps, between, w, sums, scales, bias, groups, group)
	} else {
		linearAVX2(o, size*stride, &x.codes16[first*x.columns], 2*x.columns, zeros, steps, between, w, sums, scales, bias, groups, group)
	}
}

func round(r *Rounded, token int, row []float32) {
	groups, between, at := r.columns/r.group, 4*r.stride, token*r.columns
	switch best {
	case vnni:
		roundVNNI(&r.codes8[at], &row[0], &r.zeros[token], &r.steps[token], between, groups, r.group)
	case avx2:
		roundAVX2(&r.codes16[at], &row[0], &r.zeros[token], &r.steps[token], between, groups, r.group)
	default:
		roundGo(r, token, row)
	}
}

func product(c, a, b Matrix, rows, k, columns int) {
	if best == plain {
		productGo(c, a, b, rows, k, columns)
		return
	}
	kernel := productAVX2
	if best == vnni {
		kernel = productAVX512
	}
	x, y, z := &c.Data[0], &a.Data[0], &b.Data[0]
	if rows == Tile {
		kernel(x, 4*c.Stride, y, 4*a.Stride, z, 4*b.Stride, k, columns)
		return
	}
	for i := range rows { // a tile that consists of one row
		kernel(&c.Data[i*c.Stride], 0, &a.Data[i*a.Stride], 0, z, 4*b.Stride, k, columns)
	}
}

func softmax(row []float32, scale float32) {
	switch best {
	case vnni:
		softmaxAVX512(&row[0], len(row), scale)
	case avx2:
		softmaxAVX2(&row[0], len(row), scale)
	default:
		softmaxGo(row, scale)
	}
}

func gelu(x []float32) {
	switch {
	case best == plain:
		geluGo(x)
	case best == vnni && len(x)%16 == 0:
		geluAVX512(&x[0], len(x))
	default:
		geluAVX2(&x[0], len(x))
	}
}

func addNorm(x, add, weight, bias []float32, epsilon float32) {
	if best == plain {
		addNormGo(x, add, weight, bias, epsilon)
		return
	}
	addNormAVX2(&x[0], &add[0], &weight[0], &bias[0], len(x), 1/float32(len(x)), epsilon)
}
