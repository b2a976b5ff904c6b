package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rounding computes, from the minimum and maximum of a group in the lanes of lo and hi, the
// quantization step and the integer for zero.
func rounding(lo, hi reg.VecVirtual, levels reg.VecVirtual, zeros, steps reg.GPVirtual) (inverse, zero reg.VecVirtual) {
	spread(lo, VMINPS)
	spread(hi, VMAXPS)
	span, step := YMM(), YMM()
	VSUBPS(lo, hi, span)
	VDIVPS(levels, span, step)
	inverse = YMM()
	VDIVPS(span, levels, inverse)
	// A group of values close to zero has no steps.
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

// halves combines the halves of z with op.
func halves(z reg.VecVirtual, op func(...Op)) reg.VecVirtual {
	half := YMM()
	VEXTRACTF64X4(Imm(1), z, half)
	op(half, z.AsY(), half)
	return half
}

// round quantizes a row's groups, sixteen numbers at a time.
func round(s set, name, code, doc string) {
	begin(name, "func(codes *"+code+", x *float32, zeros *int32, steps *float32, paramStride int, groups, group int)", "is roundGo for a row"+doc+".")
	codes, x, zeros, steps := param("codes"), param("x"), param("zeros"), param("steps")
	levels := constant(255)
	counted("group", arg("groups"), func() {
		lo, hi := s.register(), s.register()
		VXORPS(lo, lo, lo)
		VXORPS(hi, hi, hi)
		by(16, "extremes", x, arg("group"), func(at reg.GPVirtual) {
			for i, v := range s.sixteen() {
				VMOVUPS(Mem{Base: at, Disp: 4 * s.lanes * i}, v)
				VMINPS(v, lo, lo)
				VMAXPS(v, hi, hi)
			}
		})
		if s.lanes == 16 {
			lo, hi = halves(lo, VMINPS), halves(hi, VMAXPS)
		}
		inverse, negated := rounding(lo, hi, levels, zeros, steps)
		factor, shift, top := s.register(), s.register(), YMM()
		VBROADCASTSS(inverse.AsX(), factor)
		VPBROADCASTD(negated.AsX(), shift)
		VPADDD(negated, filled(YMM, 255), top)
		counted("codes", turns(16), func() {
			v := s.sixteen()
			for i := range v {
				VMULPS(Mem{Base: x, Disp: 4 * s.lanes * i}, factor, v[i])
				VCVTPS2DQ(v[i], v[i])
			}
			if s.lanes == 16 { // unsigned bytes
				VPSUBD(shift, v[0], v[0])
				VPMOVUSDB(v[0], Mem{Base: codes})
				ADDQ(Imm(16), codes)
			} else { // int16
				VPMINSD(top, v[0], v[0])
				VPMINSD(top, v[1], v[1])
				VPACKSSDW(v[1], v[0], v[0])
				VPERMQ(Imm(0b11_01_10_00), v[0], v[0])
				VMOVDQU(v[0], Mem{Base: codes})
				ADDQ(Imm(32), codes)
			}
			ADDQ(U32(64), x)
		})
		ADDQ(arg("paramStride"), zeros)
		ADDQ(arg("paramStride"), steps)
	})
	finish()
}
