package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// lanes looks a row of sixteen bytes up for each number and keeps the largest byte of
// each column. Two running maxima let a load begin before the one before it has ended.
func lanes() {
	begin("lanesAVX2", "func(acc *[16]byte, table *[16]byte, numbers *uint16, n int, stop int) int", "is lanesGo.")
	acc, table, numbers, n, stop := param("acc"), param("table"), param("numbers"), param("n"), param("stop")
	even, odd := XMM(), XMM()
	VMOVDQU(Mem{Base: acc}, even)
	VPXOR(odd, odd, odd)
	done, number := GP64(), GP64()
	XORQ(done, done)
	Label("loop")
	for _, x := range []Op{even, odd} {
		CMPQ(done, n)
		JGE(LabelRef("end"))
		MOVWQZX(Mem{Base: numbers, Index: done, Scale: 2}, number)
		CMPQ(number, stop)
		JLE(LabelRef("end"))
		SHLQ(Imm(4), number)
		VPMAXUB(Mem{Base: table, Index: number, Scale: 1}, x, x)
		INCQ(done)
	}
	JMP(LabelRef("loop"))
	Label("end")
	VPMAXUB(odd, even, even)
	VMOVDQU(even, Mem{Base: acc})
	Store(done, ReturnIndex(0))
	finish()
}
