package main

import (
	"fmt"
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// set is an instruction set. The kernels for both compute the same, bit for bit.
type set struct {
	name     string
	register func() reg.VecVirtual
	lanes    int // of a register
}

var avx2, avx512 = set{"AVX2", YMM, 8}, set{"AVX512", ZMM, 16}

// sixteen returns registers for sixteen numbers.
func (s set) sixteen() []reg.VecVirtual {
	if s.lanes == 16 {
		return []reg.VecVirtual{ZMM()}
	}
	return []reg.VecVirtual{YMM(), YMM()}
}

// reduce combines sixteen numbers with op, and returns the result in each lane of a register.
func (s set) reduce(v []reg.VecVirtual, op func(...Op)) reg.VecVirtual {
	if s.lanes == 16 {
		half := halves(v[0], op)
		spread(half, op)
		VBROADCASTSS(half.AsX(), v[0])
		return v[0]
	}
	op(v[1], v[0], v[0])
	spread(v[0], op)
	return v[0]
}

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

// exponential holds the constants of eˣ in registers.
type exponential struct {
	set
	least, log2e, ln2Hi, ln2Lo reg.VecVirtual
	one                        reg.VecVirtual
}

// series holds the coefficients of eʳ, highest power first.
var series = []float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1}

func newExponential(s set) exponential {
	constant := func(x float32) reg.VecVirtual { return filled(s.register, math.Float32bits(x)) }
	return exponential{
		set:   s,
		least: constant(-87), log2e: constant(math.Log2E), ln2Hi: constant(0.693359375), ln2Lo: constant(-2.12194440e-4),
		one: constant(1),
	}
}

// of replaces each x, at most 0, by eˣ, like package nn's exp; below -87 it is e⁻⁸⁷.
func (e exponential) of(x ...reg.VecVirtual) {
	k, p := make([]reg.VecVirtual, len(x)), make([]reg.VecVirtual, len(x))
	for i, v := range x {
		k[i], p[i] = e.register(), e.register()
		VMAXPS(e.least, v, v)
		VMULPS(e.log2e, v, k[i])
		if e.lanes == 16 {
			VRNDSCALEPS(Imm(0), k[i], k[i])
		} else {
			VROUNDPS(Imm(0), k[i], k[i])
		}
		VFNMADD231PS(e.ln2Hi, k[i], v)
		VFNMADD231PS(e.ln2Lo, k[i], v)
		VBROADCASTSS(float(series[0]), p[i])
	}
	for _, c := range series[1:] {
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

// softmax computes the softmax of a row, sixteen numbers at a time.
func softmax(s set) {
	begin("softmax"+s.name, "func(row *float32, n int, scale float32)", "is softmaxGo for n elements, a multiple of 16.")
	row, n := param("row"), param("n")
	tops, sums, scale := s.sixteen(), s.sixteen(), s.register()
	for i := range tops {
		VBROADCASTSS(Mem{Base: row}, tops[i])
		VXORPS(sums[i], sums[i], sums[i])
	}
	by(16, "top", row, n, func(at reg.GPVirtual) {
		for i, v := range tops {
			VMAXPS(Mem{Base: at, Disp: 4 * s.lanes * i}, v, v)
		}
	})
	top := s.reduce(tops, VMAXPS)
	VBROADCASTSS(arg("scale"), scale)
	e := newExponential(s)
	by(16, "exp", row, n, func(at reg.GPVirtual) {
		x := s.sixteen()
		for i, v := range x {
			VMOVUPS(Mem{Base: at, Disp: 4 * s.lanes * i}, v)
			VSUBPS(top, v, v)
			VMULPS(scale, v, v)
		}
		e.of(x...)
		for i, v := range x {
			VMOVUPS(v, Mem{Base: at, Disp: 4 * s.lanes * i})
			VADDPS(v, sums[i], sums[i])
		}
	})
	inverse := s.register()
	VDIVPS(s.reduce(sums, VADDPS), e.one, inverse)
	by(16, "share", row, n, func(at reg.GPVirtual) {
		for i, v := range s.sixteen() {
			VMULPS(Mem{Base: at, Disp: 4 * s.lanes * i}, inverse, v)
			VMOVUPS(v, Mem{Base: at, Disp: 4 * s.lanes * i})
		}
	})
	finish()
}

// logit holds the coefficients of GELU's approximation, highest power first.
var logit = []float32{3.6065999076129174e-09, -2.6805321340361843e-07, 7.983840987435542e-06,
	-0.00011106742749689147, -6.309687887551263e-05, 0.07266166061162949, 1.5957729816436768}

// gelu computes x·Φ(x).
func gelu(s set) {
	begin("gelu"+s.name, "func(x *float32, n int)", fmt.Sprintf("is geluGo for n elements, a multiple of %d.", s.lanes))
	e := newExponential(s)
	end, sign := filled(s.register, math.Float32bits(36)), filled(s.register, 1<<31)
	by(s.lanes, "gelu", arg("x"), arg("n"), func(at reg.GPVirtual) {
		x, square, u := s.register(), s.register(), s.register()
		VMOVUPS(Mem{Base: at}, x)
		VMULPS(x, x, square)
		VMINPS(end, square, square)
		VBROADCASTSS(float(logit[0]), u)
		for _, c := range logit[1:] {
			next := s.register()
			VBROADCASTSS(float(c), next)
			VFMADD213PS(next, square, u)
		}
		VMULPS(x, u, u)
		power, above, below := s.register(), s.register(), s.register()
		VORPS(sign, u, power) // -|u|
		e.of(power)
		VADDPS(e.one, power, below)
		if s.lanes == 16 {
			negative := K()
			VPMOVD2M(u, negative)
			VBLENDMPS(power, e.one, negative, above)
		} else {
			VBLENDVPS(u, power, e.one, above)
		}
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
	by(8, "sum", x, n, func(at reg.GPVirtual) {
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
	by(8, "squares", x, n, func(at reg.GPVirtual) {
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
	by(8, "norm", x, n, func(at reg.GPVirtual) {
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
