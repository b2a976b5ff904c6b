package vec

// The loops in this file specify the assembly and run where it is not available. Float
// kernels keep eight running sums, one per lane, and add them as a tree, so a dot product
// has the same value whichever kernel computes it. Only the rounding of each multiplication
// differs: the assembly fuses it with the addition.

// lanes is the number of running sums of a float dot product.
const lanes = 8

// dotStrided returns the inner product of row and a query whose chunks of eight elements are
// stride apart.
func dotStrided(row, query []float32, stride int) float32 {
	var s [lanes]float32
	for len(row) >= lanes {
		r, q := row[:lanes:lanes], query[:lanes:lanes]
		s[0] += r[0] * q[0]
		s[1] += r[1] * q[1]
		s[2] += r[2] * q[2]
		s[3] += r[3] * q[3]
		s[4] += r[4] * q[4]
		s[5] += r[5] * q[5]
		s[6] += r[6] * q[6]
		s[7] += r[7] * q[7]
		row = row[lanes:]
		query = query[min(stride, len(query)):]
	}
	for i, x := range row {
		s[i] += x * query[i]
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// dotsGo sets out[j][at+i] to the inner product of query j and row i, for the
// len(out) queries interleaved in query.
func dotsGo(out [][]float32, at int, query, rows []float32, d int) {
	for i := range len(rows) / d {
		row := rows[i*d : (i+1)*d]
		for j := range out {
			out[j][at+i] = dotStrided(row, query[j*lanes:], len(out)*lanes)
		}
	}
}

// gatherGo is dotsGo for the rows ids[at:at+n].
func gatherGo(out [][]float32, at int, query, rows []float32, ids []uint32, n, d int) {
	for i, id := range ids[at : at+n] {
		row := rows[int(id)*d : (int(id)+1)*d]
		for j := range out {
			out[j][at+i] = dotStrided(row, query[j*lanes:], len(out)*lanes)
		}
	}
}

// dots8Go sets out[j][at+i] to the scaled integer product of query j and row i,
// for the len(out) queries interleaved in query.
func dots8Go(out [][]float32, at int, query []int16, scale *[groupMax]float32, rows []int8, scales []float32, d int) {
	for i, s := range scales {
		row := rows[i*d : (i+1)*d]
		for j := range out {
			sum := dot8Strided(row, query[j*width8:], len(out)*width8)
			out[j][at+i] = float32(sum) * s * scale[j]
		}
	}
}

// dot8Strided returns the product of row and a query whose chunks of sixteen elements are
// stride apart, the last of them aligned with the end of the row.
func dot8Strided(row []int8, query []int16, stride int) int32 {
	var sum int32
	for len(row) >= width8 {
		r, q := (*[width8]int8)(row), (*[width8]int16)(query)
		for i := 0; i < width8; i += 4 {
			sum += int32(r[i])*int32(q[i]) + int32(r[i+1])*int32(q[i+1]) +
				int32(r[i+2])*int32(q[i+2]) + int32(r[i+3])*int32(q[i+3])
		}
		row = row[width8:]
		query = query[min(stride, len(query)):]
	}
	for i, x := range row {
		sum += int32(x) * int32(query[width8-len(row)+i])
	}
	return sum
}

// findGo implements Find for exactly FindMax targets.
func findGo(numbers []uint16, targets *[FindMax]uint16) int {
	for i, x := range numbers {
		for _, t := range targets {
			if x == t {
				return i
			}
		}
	}
	return len(numbers)
}
