package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rounding finds, from the least and the largest of a group in each lane of lo and hi,
// what one step of its integers is and which of them stands for zero.
func rounding(lo, hi reg.VecVirtual, levels reg.VecVirtual, zeros, steps reg.GPVirtual) (inverse, zero reg.VecVirtual) {
	spread(lo, VMINPS)
	spread(hi, VMAXPS)
	span, step := YMM(), YMM()
	VSUBPS(lo, hi, span)
	VDIVPS(levels, span, step)
	inverse = YMM()
	VDIVPS(span, levels, inverse)
	// A group of zeros, or of what is nearly zero, has no steps.
	tiny := YMM()
	VCMPPS(Imm(1), constant(1e-30), span, tiny) // span < 1e-30
	VANDNPS(inverse, tiny, inverse)
	VANDNPS(step, tiny, step)
	VMULPS(inverse, lo, lo)
	zero = YMM()
	VCVTPS2DQ(lo, zero) // zero's integer, negated
	VMOVD(zero.AsX(), Mem{Base: zeros})
	VMOVSS(step.AsX(), Mem{Base: steps})
	return inverse, zero
}

// roundVNNI rounds a row's groups to unsigned bytes.
func roundVNNI() {
	begin("roundVNNI", "func(codes *uint8, x *float32, zeros *int32, steps *float32, paramStride int, groups int)", "is roundGo for a row, with codes that are not negative.")
	codes, x, zeros, steps := param("codes"), param("x"), param("zeros"), param("steps")
	levels := constant(255)
	counted("group", arg("groups"), func() {
		const n = groupColumns / 16
		var v [n]reg.VecVirtual
		for i := range v {
			v[i] = ZMM()
			VMOVUPS(Mem{Base: x, Disp: 64 * i}, v[i])
		}
		lo, hi := ZMM(), ZMM()
		VPXORD(lo, lo, lo)
		VPXORD(hi, hi, hi)
		for i := range v {
			VMINPS(v[i], lo, lo)
			VMAXPS(v[i], hi, hi)
		}
		fold := func(z reg.VecVirtual, op func(...Op)) reg.VecVirtual {
			half := YMM()
			VEXTRACTF64X4(Imm(1), z, half)
			op(half, z.AsY(), half)
			return half
		}
		inverse, negated := rounding(fold(lo, VMINPS), fold(hi, VMAXPS), levels, zeros, steps)
		factor, shift := ZMM(), ZMM()
		VBROADCASTSS(inverse.AsX(), factor)
		VPBROADCASTD(negated.AsX(), shift)
		for i := range v {
			VMULPS(factor, v[i], v[i])
			VCVTPS2DQ(v[i], v[i])
			VPSUBD(shift, v[i], v[i])
			VPMOVUSDB(v[i], Mem{Base: codes, Disp: 16 * i})
		}
		ADDQ(U32(4*groupColumns), x)
		ADDQ(U32(groupColumns), codes)
		ADDQ(arg("paramStride"), zeros)
		ADDQ(arg("paramStride"), steps)
	})
	finish()
}

// roundAVX2 rounds a row's groups to int16.
func roundAVX2() {
	begin("roundAVX2", "func(codes *int16, x *float32, zeros *int32, steps *float32, paramStride int, groups int)", "is roundGo for a row.")
	codes, x, zeros, steps := param("codes"), param("x"), param("zeros"), param("steps")
	levels, most := constant(255), bits(255)
	counted("group", arg("groups"), func() {
		lo, hi := YMM(), YMM()
		VXORPS(lo, lo, lo)
		VXORPS(hi, hi, hi)
		whole("extremes", x, U32(groupColumns), func(at reg.GPVirtual) {
			v := YMM()
			VMOVUPS(Mem{Base: at}, v)
			VMINPS(v, lo, lo)
			VMAXPS(v, hi, hi)
		})
		inverse, negated := rounding(lo, hi, levels, zeros, steps)
		top := YMM()
		VPADDD(negated, most, top)
		counted("codes", U32(groupColumns/16), func() {
			v := []reg.VecVirtual{YMM(), YMM()}
			for i := range v {
				VMULPS(Mem{Base: x, Disp: 32 * i}, inverse, v[i])
				VCVTPS2DQ(v[i], v[i])
				VPMINSD(top, v[i], v[i])
			}
			VPACKSSDW(v[1], v[0], v[0])
			VPERMQ(Imm(0b11_01_10_00), v[0], v[0])
			VMOVDQU(v[0], Mem{Base: codes})
			ADDQ(Imm(64), x)
			ADDQ(Imm(32), codes)
		})
		ADDQ(arg("paramStride"), zeros)
		ADDQ(arg("paramStride"), steps)
	})
	finish()
}
