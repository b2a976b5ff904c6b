//go:build amd64 && !noasm

package vec

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../tools/kernels . -out ../../internal/vec/kernels_amd64.s -stubs ../../internal/vec/kernels_amd64.go -pkg vec

// simd selects the assembly; otherwise the Go loops run.
var simd = cpu.X86.HasAVX2 && cpu.X86.HasFMA

func dots(out [][]float32, at int, query, rows []float32, d int) {
	if !simd {
		dotsGo(out, at, query, rows, d)
		return
	}
	n := len(rows) / d
	q, r := &query[0], &rows[0]
	switch o0 := &out[0][at]; len(out) {
	case 1:
		dots1AVX2(o0, q, r, n, d)
	case 2:
		dots2AVX2(o0, &out[1][at], q, r, n, d)
	case 3:
		dots3AVX2(o0, &out[1][at], &out[2][at], q, r, n, d)
	case 4:
		dots4AVX2(o0, &out[1][at], &out[2][at], &out[3][at], q, r, n, d)
	}
}

func gather(out [][]float32, at int, query, rows []float32, ids []uint32, n, d int) {
	if !simd {
		gatherGo(out, at, query, rows, ids, n, d)
		return
	}
	q, r, id, limit := &query[0], &rows[0], &ids[at], len(ids)-at
	switch o0 := &out[0][at]; len(out) {
	case 1:
		gather1AVX2(o0, q, r, id, n, limit, d)
	case 2:
		gather2AVX2(o0, &out[1][at], q, r, id, n, limit, d)
	case 3:
		gather3AVX2(o0, &out[1][at], &out[2][at], q, r, id, n, limit, d)
	case 4:
		gather4AVX2(o0, &out[1][at], &out[2][at], &out[3][at], q, r, id, n, limit, d)
	}
}

func dots8(out [][]float32, at int, query []int16, scale *[groupMax]float32, rows []int8, scales []float32, d int) {
	if !simd || d < width8 {
		dots8Go(out, at, query, scale, rows, scales, d)
		return
	}
	n, q, r, s := len(scales), &query[0], &rows[0], &scales[0]
	switch o0 := &out[0][at]; len(out) {
	case 1:
		dots8x1AVX2(o0, q, scale, r, s, n, d)
	case 2:
		dots8x2AVX2(o0, &out[1][at], q, scale, r, s, n, d)
	case 3:
		dots8x3AVX2(o0, &out[1][at], &out[2][at], q, scale, r, s, n, d)
	case 4:
		dots8x4AVX2(o0, &out[1][at], &out[2][at], &out[3][at], q, scale, r, s, n, d)
	}
}

func find(numbers []uint16, targets *[FindMax]uint16) int {
	const block = 32
	at := 0
	if whole := len(numbers) &^ (block - 1); simd && whole > 0 {
		if at = findAVX2(&numbers[0], whole, targets); at < whole {
			return at + findGo(numbers[at:at+block], targets)
		}
		// The last block overlaps the previous one, where nothing was found.
		if findAVX2(&numbers[len(numbers)-block], block, targets) == block {
			return len(numbers)
		}
	}
	return at + findGo(numbers[at:], targets)
}
