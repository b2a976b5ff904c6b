package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels in this file compute the same as those for AVX2, bit for bit, in registers of
// twice the width.

// productWide multiplies six rows of a by 32 columns of b at a time, and by 16 at the end.
func productWide() {
	begin("product6AVX512", "func(c *float32, cStride int, a *float32, aStride int, b *float32, bStride int, k, n int)",
		"is productGo for 6 rows and n columns, a multiple of 16. Strides are bytes.")
	c, columns, left := newTile(tileTokens, "c", "cStride"), param("b"), param("n")
	block := func(label string, registers int) {
		a, b := newTile(tileTokens, "a", "aStride"), GP64()
		MOVQ(columns, b)
		var acc [tileTokens][]reg.VecVirtual
		for j := range acc {
			for range registers {
				v := ZMM()
				VPXORD(v, v, v)
				acc[j] = append(acc[j], v)
			}
		}
		counted(label, arg("k"), func() {
			row := make([]reg.VecVirtual, registers)
			for s := range row {
				row[s] = ZMM()
				VMOVUPS(Mem{Base: b, Disp: 64 * s}, row[s])
			}
			for j := range acc {
				v := ZMM()
				VBROADCASTSS(a.at(j, 0), v)
				for s := range row {
					VFMADD231PS(v, row[s], acc[j][s])
				}
			}
			ADDQ(arg("bStride"), b)
			a.move(Imm(4))
		})
		for j := range acc {
			for s, v := range acc[j] {
				VMOVUPS(v, c.at(j, 64*s))
			}
		}
	}
	Label("columns")
	CMPQ(left, Imm(32))
	JL(LabelRef("rest"))
	block("row", 2)
	c.move(U32(128))
	ADDQ(U32(128), columns)
	SUBQ(Imm(32), left)
	JMP(LabelRef("columns"))
	Label("rest")
	TESTQ(left, left)
	JE(LabelRef("done"))
	block("last", 1)
	Label("done")
	finish()
}

// spreadWide reduces all lanes of v with op, and puts the result in each lane.
func spreadWide(v reg.VecVirtual, op func(...Op)) {
	half := halves(v, op)
	spread(half, op)
	VBROADCASTSS(half.AsX(), v)
}

// softmaxWide computes the softmax of a row.
func softmaxWide() {
	begin("softmaxAVX512", "func(row *float32, n int, scale float32)", "is softmaxGo for n elements, a multiple of 16.")
	row, n := param("row"), param("n")
	top, sum, scale := ZMM(), ZMM(), ZMM()
	VBROADCASTSS(Mem{Base: row}, top)
	VPXORD(sum, sum, sum)
	by(16, "top", row, n, func(at reg.GPVirtual) { VMAXPS(Mem{Base: at}, top, top) })
	spreadWide(top, VMAXPS)
	VBROADCASTSS(arg("scale"), scale)
	e := newExponential(ZMM)
	by(16, "exp", row, n, func(at reg.GPVirtual) {
		v := ZMM()
		VMOVUPS(Mem{Base: at}, v)
		VSUBPS(top, v, v)
		VMULPS(scale, v, v)
		e.of(v)
		VMOVUPS(v, Mem{Base: at})
		VADDPS(v, sum, sum)
	})
	spreadWide(sum, VADDPS)
	inverse := ZMM()
	VDIVPS(sum, e.one, inverse)
	by(16, "share", row, n, func(at reg.GPVirtual) {
		v := ZMM()
		VMULPS(Mem{Base: at}, inverse, v)
		VMOVUPS(v, Mem{Base: at})
	})
	finish()
}

// geluWide computes x·Φ(x).
func geluWide() {
	begin("geluAVX512", "func(x *float32, n int)", "is geluGo for n elements, a multiple of 16.")
	e := newExponential(ZMM)
	end, sign := filled(ZMM, math.Float32bits(36)), filled(ZMM, 1<<31)
	var series []reg.VecVirtual
	for _, c := range logit {
		v := ZMM()
		VBROADCASTSS(float(c), v)
		series = append(series, v)
	}
	by(16, "gelu", arg("x"), arg("n"), func(at reg.GPVirtual) {
		x, square, u := ZMM(), ZMM(), ZMM()
		VMOVUPS(Mem{Base: at}, x)
		VMULPS(x, x, square)
		VMINPS(end, square, square)
		VMOVAPS(series[0], u)
		for _, c := range series[1:] {
			VFMADD213PS(c, square, u)
		}
		VMULPS(x, u, u)
		power, below, negative := ZMM(), ZMM(), K()
		VORPS(sign, u, power) // -|u|
		e.of(power)
		VADDPS(e.one, power, below)
		VPMOVD2M(u, negative)
		VMULPS(power, x, negative, x)
		VDIVPS(below, x, x)
		VMOVUPS(x, Mem{Base: at})
	})
	finish()
}
