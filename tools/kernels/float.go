package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// linearAhead is the prefetch distance of a scan in bytes. Reading rows side by side hides
// the sequential access from the hardware prefetcher. PREFETCHT1 fetches into L2: fetching
// into L1 would delay the loads.
const linearAhead = 8192

// gatherAhead is the prefetch distance of a gather in rows.
const gatherAhead = 4

// products emits the products of rows and q queries. There is one accumulator for each pair,
// whatever their number: every kernel adds in the same order, and a product depends only on
// its two vectors.
func products(q int, rows []reg.GPVirtual, mask reg.VecVirtual, unroll int, label string, fetch func(off reg.GPVirtual)) [][]reg.VecVirtual {
	acc := accumulators(len(rows), q)
	multiply := func(query reg.GPVirtual, u int, load func(row reg.GPVirtual, to reg.VecVirtual)) {
		row := make([]reg.VecVirtual, len(rows))
		for r := range rows {
			row[r] = YMM()
			load(rows[r], row[r])
		}
		for j := range q {
			m := Mem{Base: query, Disp: 32 * (u*q + j)}
			if len(row) == 1 {
				VFMADD231PS(m, row[0], acc[0][j])
				continue
			}
			v := YMM()
			VMOVUPS(m, v)
			for r := range row {
				VFMADD231PS(v, row[r], acc[r][j])
			}
		}
	}
	along{
		label: label, width: 8, rowBytes: 32, queryBytes: 32 * q, unroll: unroll, fetch: fetch,
		chunk: func(off, query reg.GPVirtual, u int) {
			multiply(query, u, func(row reg.GPVirtual, to reg.VecVirtual) {
				VMOVUPS(Mem{Base: row, Index: off, Scale: 1, Disp: 32 * u}, to)
			})
		},
		rest: func(off, query, _ reg.GPVirtual) {
			multiply(query, 0, func(row reg.GPVirtual, to reg.VecVirtual) {
				VMASKMOVPS(Mem{Base: row, Index: off, Scale: 1}, mask, to)
			})
		},
	}.emit(arg("d"), arg("query"))
	return acc
}

func floatSums(acc []reg.VecVirtual) reg.VecVirtual { return sums(acc, VHADDPS, VADDPS) }

// dots multiplies q queries by consecutive rows: two rows at a time, or one for a single
// query, which is fast enough with hardware prefetching.
func dots(q int) {
	begin(fmt.Sprintf("dots%dAVX2", q), fmt.Sprintf("func(%s, query, rows *float32, n, d int)", columnNames(q)),
		fmt.Sprintf("is dotsGo for len(out) = %d.", q))
	out, n, d := columns(q), param("n"), param("d")
	row := []reg.GPVirtual{param("rows"), GP64()}
	mask := tailMask(d, 2)

	pair := func() {
		LEAQ(Mem{Base: row[0], Index: d, Scale: 4}, row[1])
		acc := products(q, row, mask, 2, "pair", func(off reg.GPVirtual) {
			for line := range 2 {
				PREFETCHT1(Mem{Base: row[0], Index: off, Scale: 2, Disp: linearAhead + 64*line})
			}
		})
		for _, a := range acc {
			scatter(floatSums(a), out)
		}
		LEAQ(Mem{Base: row[1], Index: d, Scale: 4}, row[0])
	}
	if q == 1 {
		pair = nil
	}
	byPairs(n, pair, func() {
		acc := products(q, row[:1], mask, 4, "one", nil)
		scatter(floatSums(acc[0]), out)
		LEAQ(Mem{Base: row[0], Index: d, Scale: 4}, row[0])
	})
}

// gather multiplies q queries by the rows with n ids, two at a time.
func gather(q int) {
	begin(fmt.Sprintf("gather%dAVX2", q), fmt.Sprintf("func(%s, query, rows *float32, ids *uint32, n, limit, d int)", columnNames(q)),
		fmt.Sprintf("is gatherGo for len(out) = %d. It prefetches no row beyond ids[:limit], limit >= n.", q))
	out, ids, n := columns(q), param("ids"), param("n")
	stride, last := param("d"), param("limit")
	mask := tailMask(stride, 2)
	SHLQ(Imm(2), stride)
	LEAQ(Mem{Base: ids, Index: last, Scale: 4, Disp: -4}, last)

	// address converts an id to the address of its row.
	address := func(id reg.GPVirtual) {
		IMULQ(stride, id)
		ADDQ(arg("rows"), id)
	}
	rows := func(count int, label string) {
		row := make([]reg.GPVirtual, count)
		ahead := make([]reg.GPVirtual, count)
		for r := range row {
			row[r], ahead[r] = GP64(), GP64()
			MOVL(Mem{Base: ids, Disp: 4 * r}, row[r].As32())
			address(row[r])
			LEAQ(Mem{Base: ids, Disp: 4 * (r + gatherAhead)}, ahead[r])
			CMPQ(ahead[r], last)
			CMOVQGT(last, ahead[r])
			MOVL(Mem{Base: ahead[r]}, ahead[r].As32())
			address(ahead[r])
		}
		acc := products(q, row, mask, 2, label, func(off reg.GPVirtual) {
			for _, a := range ahead {
				PREFETCHT1(Mem{Base: a, Index: off, Scale: 1})
			}
		})
		for _, a := range acc {
			scatter(floatSums(a), out)
		}
		ADDQ(Imm(uint64(4*count)), ids)
	}
	byPairs(n, func() { rows(2, "pair") }, func() { rows(1, "one") })
}
