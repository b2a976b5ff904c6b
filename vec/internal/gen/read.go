package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// read is the limit that the benchmarks measure against.
func read() {
	TEXT("readAVX2", NOSPLIT, "func(p *float32, n int)")
	Pragma("noescape")
	Doc("readAVX2 reads n floats, a multiple of 64, and makes nothing of them.")
	p, n := param("p"), param("n")
	var v []reg.VecVirtual
	for range 4 {
		x := YMM()
		VPXOR(x, x, x)
		v = append(v, x)
	}
	Label("loop")
	CMPQ(n, U32(64))
	JL(LabelRef("end"))
	for u := range 8 {
		VPXOR(Mem{Base: p, Disp: 32 * u}, v[u%len(v)], v[u%len(v)])
	}
	ADDQ(U32(256), p)
	SUBQ(U32(64), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}
