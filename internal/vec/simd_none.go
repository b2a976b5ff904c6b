//go:build !amd64 || noasm

package vec

func dots(out [][]float32, at int, query, rows []float32, d int) {
	dotsGo(out, at, query, rows, d)
}

func gather(out [][]float32, at int, query, rows []float32, ids []uint32, n, d int) {
	gatherGo(out, at, query, rows, ids, n, d)
}

func dots8(out [][]float32, at int, query []int16, scale *[groupMax]float32, rows []int8, scales []float32, d int) {
	dots8Go(out, at, query, scale, rows, scales, d)
}

func find(numbers []uint16, targets *[FindMax]uint16) int { return findGo(numbers, targets) }
