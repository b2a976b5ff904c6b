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

// roundVNNI rounds a row's groups to unsigned bytes.
func roundVNNI() {
	begin("roundVNNI", "func(codes *uint8, x *float32, zeros *int32, steps *float32, paramStride int, groups, group int)", "is roundGo for a row, with codes that are not negative.")
	const unroll = 4
	rounds(ZMM, 16*unroll, func(x reg.GPVirtual, lo, hi reg.VecVirtual) {
		for i := range unroll {
			v := ZMM()
			VMOVUPS(Mem{Base: x, Disp: 64 * i}, v)
			VMINPS(v, lo, lo)
			VMAXPS(v, hi, hi)
		}
	}, func(lo, hi reg.VecVirtual) (reg.VecVirtual, reg.VecVirtual) {
		return halves(lo, VMINPS), halves(hi, VMAXPS)
	}, func(inverse, negated reg.VecVirtual) func(codes, x reg.GPVirtual) {
		factor, shift := ZMM(), ZMM()
		VBROADCASTSS(inverse.AsX(), factor)
		VPBROADCASTD(negated.AsX(), shift)
		return func(codes, x reg.GPVirtual) {
			for i := range unroll {
				v := ZMM()
				VMULPS(Mem{Base: x, Disp: 64 * i}, factor, v)
				VCVTPS2DQ(v, v)
				VPSUBD(shift, v, v)
				VPMOVUSDB(v, Mem{Base: codes, Disp: 16 * i})
			}
			ADDQ(Imm(16*unroll), codes)
		}
	})
}

// halves combines the halves of z with op.
func halves(z reg.VecVirtual, op func(...Op)) reg.VecVirtual {
	half := YMM()
	VEXTRACTF64X4(Imm(1), z, half)
	op(half, z.AsY(), half)
	return half
}

// roundAVX2 rounds a row's groups to int16.
func roundAVX2() {
	begin("roundAVX2", "func(codes *int16, x *float32, zeros *int32, steps *float32, paramStride int, groups, group int)", "is roundGo for a row.")
	rounds(YMM, 16, func(x reg.GPVirtual, lo, hi reg.VecVirtual) {
		for i := range 2 {
			v := YMM()
			VMOVUPS(Mem{Base: x, Disp: 32 * i}, v)
			VMINPS(v, lo, lo)
			VMAXPS(v, hi, hi)
		}
	}, func(lo, hi reg.VecVirtual) (reg.VecVirtual, reg.VecVirtual) {
		return lo, hi
	}, func(inverse, negated reg.VecVirtual) func(codes, x reg.GPVirtual) {
		top := filled(YMM, 255)
		VPADDD(negated, top, top)
		return func(codes, x reg.GPVirtual) {
			v := []reg.VecVirtual{YMM(), YMM()}
			for i := range v {
				VMULPS(Mem{Base: x, Disp: 32 * i}, inverse, v[i])
				VCVTPS2DQ(v[i], v[i])
				VPMINSD(top, v[i], v[i])
			}
			VPACKSSDW(v[1], v[0], v[0])
			VPERMQ(Imm(0b11_01_10_00), v[0], v[0])
			VMOVDQU(v[0], Mem{Base: codes})
			ADDQ(Imm(32), codes)
		}
	})
}

// rounds emits the loop over a row's groups: one loop over each group for its extremes, width
// numbers per iteration, which fold reduces to an AVX2 register, and one that writes codes.
func rounds(register func() reg.VecVirtual, width int, extremes func(x reg.GPVirtual, lo, hi reg.VecVirtual),
	fold func(lo, hi reg.VecVirtual) (reg.VecVirtual, reg.VecVirtual), write func(inverse, negated reg.VecVirtual) func(codes, x reg.GPVirtual)) {
	codes, x, zeros, steps := param("codes"), param("x"), param("zeros"), param("steps")
	levels := constant(255)
	counted("group", arg("groups"), func() {
		lo, hi := register(), register()
		VXORPS(lo, lo, lo)
		VXORPS(hi, hi, hi)
		by(width, "extremes", x, arg("group"), func(at reg.GPVirtual) { extremes(at, lo, hi) })
		lo, hi = fold(lo, hi)
		code := write(rounding(lo, hi, levels, zeros, steps))
		counted("codes", turns(width), func() {
			code(codes, x)
			ADDQ(U32(4*width), x)
		})
		ADDQ(arg("paramStride"), zeros)
		ADDQ(arg("paramStride"), steps)
	})
	finish()
}
