package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constant is a register with a number in each lane.
func constant(x float32) reg.VecVirtual { return bits(math.Float32bits(x)) }

// bits is a register with the same bits in each lane.
func bits(x uint32) reg.VecVirtual {
	r, low, v := GP32(), XMM(), YMM()
	MOVL(U32(x), r)
	VMOVD(r, low)
	VPBROADCASTD(low, v)
	return v
}

// spread puts what op makes of all lanes of v into each of them.
func spread(v reg.VecVirtual, op func(...Op)) {
	other := YMM()
	VPERM2F128(Imm(1), v, v, other)
	op(other, v, v)
	VPERMILPS(Imm(0b01_00_11_10), v, other)
	op(other, v, v)
	VPERMILPS(Imm(0b10_11_00_01), v, other)
	op(other, v, v)
}

// whole emits a loop over the eights of n elements from p on.
func whole(label string, p Op, n Op, turn func(at reg.GPVirtual)) {
	at, turns := GP64(), GP64()
	MOVQ(p, at)
	MOVQ(n, turns)
	SHRQ(Imm(3), turns)
	counted(label, turns, func() {
		turn(at)
		ADDQ(Imm(32), at)
	})
}

// exponential has the constants of eˣ.
type exponential struct {
	least, log2e, ln2Hi, ln2Lo reg.VecVirtual
	one                        reg.VecVirtual
	series                     []float32
}

func newExponential() exponential {
	return exponential{
		least: constant(-87), log2e: constant(math.Log2E), ln2Hi: constant(0.693359375), ln2Lo: constant(-2.12194440e-4),
		one:    constant(1),
		series: []float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1},
	}
}

// of turns x, at most 0, into eˣ, as package nn's exp does; below -87 it is e⁻⁸⁷.
func (e exponential) of(x reg.VecVirtual) {
	k, p, square := YMM(), YMM(), YMM()
	VMAXPS(e.least, x, x)
	VMULPS(e.log2e, x, k)
	VROUNDPS(Imm(0), k, k)
	VFNMADD231PS(e.ln2Hi, k, x)
	VFNMADD231PS(e.ln2Lo, k, x)
	VBROADCASTSS(float(e.series[0]), p)
	for _, c := range e.series[1:] {
		next := YMM()
		VBROADCASTSS(float(c), next)
		VFMADD213PS(next, x, p)
	}
	VMULPS(x, x, square)
	VFMADD213PS(x, square, p)
	VADDPS(e.one, p, p)
	VCVTPS2DQ(k, k)
	VPSLLD(Imm(23), k, k)
	VPADDD(k, p, x)
}

// float is where a constant lies in memory.
func float(x float32) Mem {
	if m, ok := floats[x]; ok {
		return m
	}
	m := ConstData(constantName(len(floats)), F32(x))
	floats[x] = m
	return m
}

var floats = map[float32]Mem{}

func constantName(i int) string { return "c" + string(rune('a'+i/10)) + string(rune('0'+i%10)) }

// softmax makes shares of a row.
func softmax() {
	begin("softmaxAVX2", "func(row *float32, n int, scale float32)", "is softmaxGo for n elements, a multiple of 8.")
	row, n := param("row"), param("n")
	top := YMM()
	VBROADCASTSS(Mem{Base: row}, top)
	whole("top", row, n, func(at reg.GPVirtual) { VMAXPS(Mem{Base: at}, top, top) })
	spread(top, VMAXPS)
	scale, sum := YMM(), YMM()
	VBROADCASTSS(arg("scale"), scale)
	VXORPS(sum, sum, sum)
	e := newExponential()
	whole("exp", row, n, func(at reg.GPVirtual) {
		x := YMM()
		VMOVUPS(Mem{Base: at}, x)
		VSUBPS(top, x, x)
		VMULPS(scale, x, x)
		e.of(x)
		VMOVUPS(x, Mem{Base: at})
		VADDPS(x, sum, sum)
	})
	spread(sum, VADDPS)
	inverse := YMM()
	VDIVPS(sum, e.one, inverse)
	whole("share", row, n, func(at reg.GPVirtual) {
		x := YMM()
		VMULPS(Mem{Base: at}, inverse, x)
		VMOVUPS(x, Mem{Base: at})
	})
	finish()
}

// logit are the coefficients of GELU's approximation, the highest power first.
var logit = []float32{3.6065999076129174e-09, -2.6805321340361843e-07, 7.983840987435542e-06,
	-0.00011106742749689147, -6.309687887551263e-05, 0.07266166061162949, 1.5957729816436768}

// gelu is x·Φ(x).
func gelu() {
	begin("geluAVX2", "func(x *float32, n int)", "is geluGo for n elements, a multiple of 8.")
	e := newExponential()
	end, sign := constant(36), bits(1<<31)
	whole("gelu", arg("x"), arg("n"), func(at reg.GPVirtual) {
		x, square, u := YMM(), YMM(), YMM()
		VMOVUPS(Mem{Base: at}, x)
		VMULPS(x, x, square)
		VMINPS(end, square, square)
		VBROADCASTSS(float(logit[0]), u)
		for _, c := range logit[1:] {
			next := YMM()
			VBROADCASTSS(float(c), next)
			VFMADD213PS(next, square, u)
		}
		VMULPS(x, u, u)
		power, above, below := YMM(), YMM(), YMM()
		VORPS(sign, u, power) // -|u|
		e.of(power)
		VADDPS(e.one, power, below)
		VBLENDVPS(u, power, e.one, above)
		VMULPS(x, above, above)
		VDIVPS(below, above, above)
		VMOVUPS(above, Mem{Base: at})
	})
	finish()
}

// addNorm adds and normalizes a row.
func addNorm() {
	begin("addNormAVX2", "func(x, add, weight, bias *float32, n int, inverse, epsilon float32)", "is addNormGo for a row of n elements, a multiple of 8.")
	x, n := param("x"), param("n")
	sum, add := YMM(), param("add")
	VXORPS(sum, sum, sum)
	whole("sum", x, n, func(at reg.GPVirtual) {
		v := YMM()
		VMOVUPS(Mem{Base: at}, v)
		VADDPS(Mem{Base: add}, v, v)
		VMOVUPS(v, Mem{Base: at})
		VADDPS(v, sum, sum)
		ADDQ(Imm(32), add)
	})
	spread(sum, VADDPS)
	inverse, mean, squares := YMM(), YMM(), YMM()
	VBROADCASTSS(arg("inverse"), inverse)
	VMULPS(inverse, sum, mean)
	VXORPS(squares, squares, squares)
	whole("squares", x, n, func(at reg.GPVirtual) {
		v := YMM()
		VMOVUPS(Mem{Base: at}, v)
		VSUBPS(mean, v, v)
		VFMADD231PS(v, v, squares)
	})
	spread(squares, VADDPS)
	scale, epsilon := YMM(), YMM()
	VBROADCASTSS(arg("epsilon"), epsilon)
	VFMADD213PS(epsilon, inverse, squares)
	VSQRTPS(squares, squares)
	VDIVPS(squares, constant(1), scale)
	weight, bias := param("weight"), param("bias")
	whole("norm", x, n, func(at reg.GPVirtual) {
		v := YMM()
		VMOVUPS(Mem{Base: at}, v)
		VSUBPS(mean, v, v)
		VMULPS(scale, v, v)
		VMULPS(Mem{Base: weight}, v, v)
		VADDPS(Mem{Base: bias}, v, v)
		VMOVUPS(v, Mem{Base: at})
		ADDQ(Imm(32), weight)
		ADDQ(Imm(32), bias)
	})
	finish()
}
