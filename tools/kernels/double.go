package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// byChunks emits a loop over n elements, a multiple of width.
func byChunks(n reg.GPVirtual, width int, chunk func()) {
	Label("loop")
	CMPQ(n, U32(width))
	JL(LabelRef("end"))
	chunk()
	SUBQ(U32(width), n)
	JMP(LabelRef("loop"))
	Label("end")
}

// dot64 widens both vectors to double precision before multiplying.
func dot64() {
	begin("dot64AVX2", "func(a, b *float32, n int) float64", "is dot64Go for n elements, a multiple of 16.")
	a, b, n := param("a"), param("b"), param("n")
	acc := accumulators(1, 4)[0]
	byChunks(n, 16, func() {
		for i := range acc {
			x, y := YMM(), YMM()
			VCVTPS2PD(Mem{Base: a, Disp: 16 * i}, x)
			VCVTPS2PD(Mem{Base: b, Disp: 16 * i}, y)
			VFMADD231PD(x, y, acc[i])
		}
		ADDQ(Imm(64), a)
		ADDQ(Imm(64), b)
	})
	VADDPD(acc[1], acc[0], acc[0])
	VADDPD(acc[3], acc[2], acc[2])
	VADDPD(acc[2], acc[0], acc[0])
	foldLanes(acc[0], VADDPD)
	VHADDPD(acc[0].AsX(), acc[0].AsX(), acc[0].AsX())
	Store(acc[0].AsX(), ReturnIndex(0))
	finish()
}

// addScaled multiplies and adds in two steps, like the Go version.
func addScaled() {
	begin("addScaledAVX2", "func(dst, src *float32, s float32, n int)", "is addScaledGo for n elements, a multiple of 32.")
	dst, src, n := param("dst"), param("src"), param("n")
	s := YMM()
	VBROADCASTSS(arg("s"), s)
	// All loads of an iteration come before its stores: if dst and src are a multiple of
	// 4 KB apart, as vectors often are, an earlier store to a seemingly equal address would
	// delay a load.
	byChunks(n, 32, func() {
		var v []reg.VecVirtual
		for u := range 4 {
			x := YMM()
			VMULPS(Mem{Base: src, Disp: 32 * u}, s, x)
			VADDPS(Mem{Base: dst, Disp: 32 * u}, x, x)
			v = append(v, x)
		}
		for u, x := range v {
			VMOVUPS(x, Mem{Base: dst, Disp: 32 * u})
		}
		ADDQ(U32(128), dst)
		ADDQ(U32(128), src)
	})
	finish()
}

// read is the upper bound that benchmarks compare with.
func read() {
	begin("readAVX2", "func(p *float32, n int)", "reads n floats, a multiple of 64, and discards them.")
	p, n := param("p"), param("n")
	v := accumulators(1, 4)[0]
	byChunks(n, 64, func() {
		for u := range 8 {
			VPXOR(Mem{Base: p, Disp: 32 * u}, v[u%len(v)], v[u%len(v)])
		}
		ADDQ(U32(256), p)
	})
	finish()
}
