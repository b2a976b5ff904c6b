package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dots8 multiplies q int16 queries by consecutive int8 rows, d >= 16, two rows at a time.
func dots8(q int) {
	begin(fmt.Sprintf("dots8x%dAVX2", q),
		fmt.Sprintf("func(%s *float32, query *int16, scale *[4]float32, rows *int8, scales *float32, n, d int)", columnNames(q)),
		fmt.Sprintf("is dots8Go for len(out) = %d and d >= 16.", q))
	out, n, d, scales := columns(q), param("n"), param("d"), param("scales")
	row := []reg.GPVirtual{param("rows"), GP64()}
	scale, at := XMM(), GP64()
	Load(Param("scale"), at)
	VMOVUPS(Mem{Base: at}, scale)

	store := func(acc []reg.VecVirtual) {
		sum, rowScale := sums(acc, VPHADDD, VPADDD), XMM()
		x := sum.AsX()
		VCVTDQ2PS(x, x)
		VBROADCASTSS(Mem{Base: scales}, rowScale)
		VMULPS(rowScale, x, x)
		VMULPS(scale, x, x)
		scatter(sum, out)
		ADDQ(Imm(4), scales)
	}
	byPairs(n, func() {
		LEAQ(Mem{Base: row[0], Index: d, Scale: 1}, row[1])
		for _, acc := range products8(q, row, "pair") {
			store(acc)
		}
		LEAQ(Mem{Base: row[1], Index: d, Scale: 1}, row[0])
	}, func() {
		store(products8(q, row[:1], "one")[0])
		ADDQ(d, row[0])
	})
}

// products8 emits the integer products of rows and q queries. After whole chunks come the
// last sixteen elements of the row, some of them for the second time: there the last chunk of
// a query is zero.
func products8(q int, rows []reg.GPVirtual, label string) [][]reg.VecVirtual {
	acc := accumulators(len(rows), q)
	chunk := func(off, query reg.GPVirtual, u int) {
		row := make([]reg.VecVirtual, len(rows))
		for r := range rows {
			row[r] = YMM()
			VPMOVSXBW(Mem{Base: rows[r], Index: off, Scale: 1, Disp: 16 * u}, row[r])
		}
		for j := range q {
			v := YMM()
			VMOVDQU(Mem{Base: query, Disp: 32 * (u*q + j)}, v)
			for r := range row {
				t := YMM()
				VPMADDWD(v, row[r], t)
				VPADDD(t, acc[r][j], acc[r][j])
			}
		}
	}
	along{
		label: label, width: 16, rowBytes: 16, queryBytes: 32 * q, unroll: 4, chunk: chunk,
		fetch: func(off reg.GPVirtual) {
			for line := range len(rows) {
				PREFETCHT1(Mem{Base: rows[0], Index: off, Scale: uint8(len(rows)), Disp: linearAhead + 64*line})
			}
		},
		rest: func(off, query, left reg.GPVirtual) {
			LEAQ(Mem{Base: off, Index: left, Scale: 1, Disp: -16}, off)
			chunk(off, query, 0)
		},
	}.emit(arg("d"), arg("query"))
	return acc
}
