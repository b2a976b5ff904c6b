package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// find compares 32 numbers at a time with each of eight targets.
func find() {
	begin("findAVX2", "func(numbers *uint16, n int, targets *[8]uint16) int", "returns the start of the first 32 numbers with a match for findGo, or n. n is a multiple of 32.")
	numbers, n, targets := param("numbers"), param("n"), param("targets")
	var wanted []reg.VecVirtual
	for i := range 8 {
		w := YMM()
		VPBROADCASTW(Mem{Base: targets, Disp: 2 * i}, w)
		wanted = append(wanted, w)
	}
	at, found := GP64(), GP32()
	XORQ(at, at)
	Label("loop")
	CMPQ(at, n)
	JGE(LabelRef("end"))
	low, high := YMM(), YMM()
	VMOVDQU(Mem{Base: numbers, Index: at, Scale: 2}, low)
	VMOVDQU(Mem{Base: numbers, Index: at, Scale: 2, Disp: 32}, high)
	all := []reg.VecVirtual{YMM(), YMM()}
	for i, w := range wanted {
		for j, x := range []reg.VecVirtual{low, high} {
			if i == 0 {
				VPCMPEQW(x, w, all[j])
				continue
			}
			same := YMM()
			VPCMPEQW(x, w, same)
			VPOR(same, all[j], all[j])
		}
	}
	VPOR(all[1], all[0], all[0])
	VPMOVMSKB(all[0], found)
	TESTL(found, found)
	JNE(LabelRef("end"))
	ADDQ(U32(32), at)
	JMP(LabelRef("loop"))
	Label("end")
	Store(at, ReturnIndex(0))
	finish()
}
