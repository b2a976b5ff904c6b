package main

import (
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constant returns a register with a number in each lane.
func constant(x float32) reg.VecVirtual { return filled(YMM, math.Float32bits(x)) }

// filled returns a register with the same bits in each lane.
func filled(register func() reg.VecVirtual, x uint32) reg.VecVirtual {
	r, low, v := GP32(), XMM(), register()
	MOVL(U32(x), r)
	VMOVD(r, low)
	VPBROADCASTD(low, v)
	return v
}

// spread reduces all lanes of v with op, and puts the result in each lane.
func spread(v reg.VecVirtual, op func(...Op)) {
	other := YMM()
	VPERM2F128(Imm(1), v, v, other)
	op(other, v, v)
	VPERMILPS(Imm(0b01_00_11_10), v, other)
	op(other, v, v)
	VPERMILPS(Imm(0b10_11_00_01), v, other)
	op(other, v, v)
}

// whole emits a loop over n elements from p on, eight per iteration.
func whole(label string, p Op, n Op, turn func(at reg.GPVirtual)) {
	by(8, label, p, n, turn)
}

// by emits a loop over n elements from p on, width per iteration.
func by(width int, label string, p Op, n Op, turn func(at reg.GPVirtual)) {
	at, turns := GP64(), GP64()
	MOVQ(p, at)
	MOVQ(n, turns)
	SHRQ(Imm(uint64(bits.TrailingZeros(uint(width)))), turns)
	counted(label, turns, func() {
		turn(at)
		ADDQ(U32(4*width), at)
	})
}

// exponential holds the constants of eˣ, in registers of AVX2 or AVX-512.
type exponential struct {
	register func() reg.VecVirtual
	round    func(x, to reg.VecVirtual)

	least, log2e, ln2Hi, ln2Lo reg.VecVirtual
	one                        reg.VecVirtual
	series                     []float32
}

func newExponential(register func() reg.VecVirtual) exponential {
	constant := func(x float32) reg.VecVirtual { return filled(register, math.Float32bits(x)) }
	round := func(x, to reg.VecVirtual) { VROUNDPS(Imm(0), x, to) }
	if register().Size() == 64 {
		round = func(x, to reg.VecVirtual) { VRNDSCALEPS(Imm(0), x, to) }
	}
	return exponential{
		register: register, round: round,
		least: constant(-87), log2e: constant(math.Log2E), ln2Hi: constant(0.693359375), ln2Lo: constant(-2.12194440e-4),
		one:    constant(1),
		series: []float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1},
	}
}

// of replaces each x, at most 0, by eˣ, like package nn's exp; below -87 it is e⁻⁸⁷.
func (e exponential) of(x ...reg.VecVirtual) {
	k, p := make([]reg.VecVirtual, len(x)), make([]reg.VecVirtual, len(x))
	for i, v := range x {
		k[i], p[i] = e.register(), e.register()
		VMAXPS(e.least, v, v)
		VMULPS(e.log2e, v, k[i])
		e.round(k[i], k[i])
		VFNMADD231PS(e.ln2Hi, k[i], v)
		VFNMADD231PS(e.ln2Lo, k[i], v)
		VBROADCASTSS(float(e.series[0]), p[i])
	}
	for _, c := range e.series[1:] {
		next := e.register()
		VBROADCASTSS(float(c), next)
		for i, v := range x {
			VFMADD213PS(next, v, p[i])
		}
	}
	for i, v := range x {
		square := e.register()
		VMULPS(v, v, square)
		VFMADD213PS(v, square, p[i])
		VADDPS(e.one, p[i], p[i])
		VCVTPS2DQ(k[i], k[i])
		VPSLLD(Imm(23), k[i], k[i])
		VPADDD(k[i], p[i], v)
	}
}

// float returns the address of a constant in memory.
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

// softmax computes the softmax of a row, two registers at a time.
func softmax() {
	begin("softmaxAVX2", "func(row *float32, n int, scale float32)", "is softmaxGo for n elements, a multiple of 16.")
	row, n := param("row"), param("n")
	pair := func() []reg.VecVirtual { return []reg.VecVirtual{YMM(), YMM()} }
	top, sum := pair(), pair()
	for i := range top {
		VBROADCASTSS(Mem{Base: row}, top[i])
		VXORPS(sum[i], sum[i], sum[i])
	}
	by(16, "top", row, n, func(at reg.GPVirtual) {
		for i := range top {
			VMAXPS(Mem{Base: at, Disp: 32 * i}, top[i], top[i])
		}
	})
	VMAXPS(top[1], top[0], top[0])
	spread(top[0], VMAXPS)
	scale := YMM()
	VBROADCASTSS(arg("scale"), scale)
	e := newExponential(YMM)
	by(16, "exp", row, n, func(at reg.GPVirtual) {
		x := pair()
		for i, v := range x {
			VMOVUPS(Mem{Base: at, Disp: 32 * i}, v)
			VSUBPS(top[0], v, v)
			VMULPS(scale, v, v)
		}
		e.of(x...)
		for i, v := range x {
			VMOVUPS(v, Mem{Base: at, Disp: 32 * i})
			VADDPS(v, sum[i], sum[i])
		}
	})
	VADDPS(sum[1], sum[0], sum[0])
	spread(sum[0], VADDPS)
	inverse := YMM()
	VDIVPS(sum[0], e.one, inverse)
	by(16, "share", row, n, func(at reg.GPVirtual) {
		for i, v := range pair() {
			VMULPS(Mem{Base: at, Disp: 32 * i}, inverse, v)
			VMOVUPS(v, Mem{Base: at, Disp: 32 * i})
		}
	})
	finish()
}

func expand() {
	begin("expandAVX2", "func(out *float32, codes *int8, n int, scale float32)", "is expandGo for n elements, a multiple of 8.")
	scale, codes := YMM(), param("codes")
	VBROADCASTSS(arg("scale"), scale)
	whole("codes", arg("out"), arg("n"), func(at reg.GPVirtual) {
		v := YMM()
		VPMOVSXBD(Mem{Base: codes}, v)
		VCVTDQ2PS(v, v)
		VMULPS(scale, v, v)
		VMOVUPS(v, Mem{Base: at})
		ADDQ(Imm(8), codes)
	})
	finish()
}

// logit holds the coefficients of GELU's approximation, highest power first.
var logit = []float32{3.6065999076129174e-09, -2.6805321340361843e-07, 7.983840987435542e-06,
	-0.00011106742749689147, -6.309687887551263e-05, 0.07266166061162949, 1.5957729816436768}

// gelu computes x·Φ(x).
func gelu() {
	begin("geluAVX2", "func(x *float32, n int)", "is geluGo for n elements, a multiple of 8.")
	e := newExponential(YMM)
	end, sign := constant(36), filled(YMM, 1<<31)
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
