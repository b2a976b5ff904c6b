package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The layout of weights, defined under the same names in package nn: blocks of blockRows
// rows, each divided into chunks of as many columns as one lane adds up.
const (
	tileTokens = 6
	blockRows  = 64
)

// tile holds the addresses of data for six tokens, a stride apart.
type tile struct {
	base   [2]reg.GPVirtual // addresses of the first and the fourth token
	stride reg.GPVirtual
}

// newTile returns the tile that starts at a parameter.
func newTile(name, stride string) tile {
	v := tile{[2]reg.GPVirtual{param(name), GP64()}, param(stride)}
	LEAQ(Mem{Base: v.base[0], Index: v.stride, Scale: 2}, v.base[1])
	ADDQ(v.stride, v.base[1])
	return v
}

// at returns the address of a token's element.
func (v tile) at(token, disp int) Mem {
	m := Mem{Base: v.base[token/3], Disp: disp}
	if within := token % 3; within > 0 {
		m.Index, m.Scale = v.stride, uint8(within)
	}
	return m
}

// move advances all addresses by an immediate or a register.
func (v tile) move(by Op) {
	ADDQ(by, v.base[0])
	ADDQ(by, v.base[1])
}

// counted emits a loop of n iterations, n > 0.
func counted(label string, n Op, turn func()) {
	left := GP64()
	MOVQ(n, left)
	Label(label)
	turn()
	DECQ(left)
	JNZ(LabelRef(label))
}

// turns returns the number of iterations over a group at the given number of columns each.
func turns(columns int) Op {
	n := param("group")
	SHRQ(Imm(uint64(bits.TrailingZeros(uint(columns)))), n)
	return n
}

// vpdpbusd adds to each lane of acc the products of its four unsigned bytes of x and its four
// signed bytes of w. avo does not support the instruction.
func vpdpbusd(w, x, acc reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode: "VPDPBUSD", Operands: []Op{w, x, acc},
		Inputs: []Op{w, x, acc}, Outputs: []Op{acc}, ISA: []string{"AVX512_VNNI"},
	})
}

const linearSignature = "func(out *float32, outStride int, x *%s, xStride int, zeros *int32, steps *float32, paramStride int, weights *int8, sums *int32, scales, bias *float32, groups, group int)"

// linearVNNI multiplies a block of rows by six tokens of unsigned bytes, 32 rows at a time and
// four columns per chunk.
func linearVNNI() {
	begin("linearVNNI", fmt.Sprintf(linearSignature, "uint8"), "is linearGo for a block and six tokens.")
	const rows, parts, chunk, unroll = 32, 2, 4 * blockRows, 4
	out := newTile("out", "outStride")
	weights, sums, scales, bias := param("weights"), param("sums"), param("scales"), param("bias")
	counted("rows", U32(blockRows/rows), func() {
		x, zeros, steps := newTile("x", "xStride"), param("zeros"), param("steps")
		var total [tileTokens][parts]reg.VecVirtual
		for j := range tileTokens {
			for s := range parts {
				total[j][s] = ZMM()
				VPXORD(total[j][s], total[j][s], total[j][s])
			}
		}
		counted("group", arg("groups"), func() {
			var acc [tileTokens][parts]reg.VecVirtual
			for s := range parts {
				sum := ZMM()
				VMOVDQU32(Mem{Base: sums, Disp: 64 * s}, sum)
				for j := range tileTokens {
					acc[j][s] = ZMM()
					VPMULLD_BCST(Mem{Base: zeros, Disp: 4 * j}, sum, acc[j][s])
				}
			}
			ADDQ(U32(4*blockRows), sums)
			counted("chunk", turns(4*unroll), func() {
				for u := range unroll {
					w := [parts]reg.VecVirtual{ZMM(), ZMM()}
					for s := range parts {
						VMOVDQU32(Mem{Base: weights, Disp: chunk*u + 64*s}, w[s])
					}
					for j := range tileTokens {
						v := ZMM()
						VPBROADCASTD(x.at(j, 4*u), v)
						for s := range parts {
							vpdpbusd(w[s], v, acc[j][s])
						}
					}
				}
				ADDQ(U32(chunk*unroll), weights)
				x.move(Imm(4 * unroll))
			})
			for j := range tileTokens {
				for s, a := range acc[j] {
					VCVTDQ2PS(a, a)
					VMULPS_BCST(Mem{Base: steps, Disp: 4 * j}, a, a)
					VADDPS(total[j][s], a, total[j][s])
				}
			}
			ADDQ(arg("paramStride"), zeros)
			ADDQ(arg("paramStride"), steps)
		})
		for s := range parts {
			scale, b := ZMM(), ZMM()
			VMOVUPS(Mem{Base: scales, Disp: 64 * s}, scale)
			VMOVUPS(Mem{Base: bias, Disp: 64 * s}, b)
			for j := range tileTokens {
				v := total[j][s]
				VMULPS(scale, v, v)
				VADDPS(b, v, v)
				VMOVUPS(v, out.at(j, 64*s))
			}
		}
		ADDQ(U32(4*rows), scales)
		ADDQ(U32(4*rows), bias)
		out.move(U32(4 * rows))
		backToBlock(weights, 4*rows)
		past := param("groups")
		SHLQ(Imm(2+uint64(bits.TrailingZeros(blockRows))), past)
		SUBQ(past, sums)
		ADDQ(U32(4*rows), sums)
	})
	finish()
}

// backToBlock moves from the end of a block's weights to its first chunk, and on by some bytes
// to the next rows.
func backToBlock(weights reg.GPVirtual, on uint32) {
	past := param("groups")
	IMULQ(arg("group"), past)
	SHLQ(Imm(uint64(bits.TrailingZeros(blockRows))), past)
	SUBQ(past, weights)
	ADDQ(U32(on), weights)
}

// linearAVX2 multiplies a block of rows by six tokens of int16, sixteen rows at a time and two
// columns per chunk.
func linearAVX2() {
	begin("linearAVX2", fmt.Sprintf(linearSignature, "int16"), "is linearGo for a block and six tokens.")
	const rows, parts, chunk, unroll = 16, 2, 2 * blockRows, 4
	out := newTile("out", "outStride")
	weights, scales, bias := param("weights"), param("scales"), param("bias")
	counted("rows", U32(blockRows/rows), func() {
		x, steps := newTile("x", "xStride"), param("steps")
		zero := YMM()
		VPXOR(zero, zero, zero)
		for j := range tileTokens {
			for s := range parts {
				VMOVUPS(zero, out.at(j, 32*s))
			}
		}
		counted("group", arg("groups"), func() {
			acc := accumulators(tileTokens, parts)
			counted("chunk", turns(2*unroll), func() {
				for u := range unroll {
					w := []reg.VecVirtual{YMM(), YMM()}
					for s := range w {
						VPMOVSXBW(Mem{Base: weights, Disp: chunk*u + 16*s}, w[s])
					}
					for j := range tileTokens {
						v, product := YMM(), YMM()
						VPBROADCASTD(x.at(j, 4*u), v)
						VPMADDWD(v, w[0], product)
						VPADDD(product, acc[j][0], acc[j][0])
						VPMADDWD(v, w[1], v)
						VPADDD(v, acc[j][1], acc[j][1])
					}
				}
				ADDQ(U32(chunk*unroll), weights)
				x.move(Imm(4 * unroll))
			})
			for j, a := range acc {
				step := YMM()
				VBROADCASTSS(Mem{Base: steps, Disp: 4 * j}, step)
				for s := range a {
					VCVTDQ2PS(a[s], a[s])
					VMULPS(step, a[s], a[s])
					VADDPS(out.at(j, 32*s), a[s], a[s])
					VMOVUPS(a[s], out.at(j, 32*s))
				}
			}
			ADDQ(arg("paramStride"), steps)
		})
		for s := range parts {
			scale, b := YMM(), YMM()
			VMOVUPS(Mem{Base: scales, Disp: 32 * s}, scale)
			VMOVUPS(Mem{Base: bias, Disp: 32 * s}, b)
			for j := range tileTokens {
				v := YMM()
				VMULPS(out.at(j, 32*s), scale, v)
				VADDPS(b, v, v)
				VMOVUPS(v, out.at(j, 32*s))
			}
		}
		ADDQ(Imm(4*rows), scales)
		ADDQ(Imm(4*rows), bias)
		out.move(Imm(4 * rows))
		backToBlock(weights, 2*rows)
	})
	finish()
}

// product multiplies six rows of a by two registers of columns of b at a time, or by one at the
// end.
func product(s set) {
	begin("product"+s.name, "func(c *float32, cStride int, a *float32, aStride int, b *float32, bStride int, k, n int)",
		"is productGo for six rows and n columns, a multiple of 16. Strides are bytes.")
	c, columns, left := newTile("c", "cStride"), param("b"), param("n")
	block := func(label string, registers int) {
		a, b := newTile("a", "aStride"), GP64()
		MOVQ(columns, b)
		var acc [tileTokens][]reg.VecVirtual
		for j := range acc {
			for range registers {
				v := s.register()
				VXORPS(v, v, v)
				acc[j] = append(acc[j], v)
			}
		}
		counted(label, arg("k"), func() {
			row := make([]reg.VecVirtual, registers)
			for i := range row {
				row[i] = s.register()
				VMOVUPS(Mem{Base: b, Disp: 4 * s.lanes * i}, row[i])
			}
			for j := range acc {
				v := s.register()
				VBROADCASTSS(a.at(j, 0), v)
				for i := range row {
					VFMADD231PS(v, row[i], acc[j][i])
				}
			}
			ADDQ(arg("bStride"), b)
			a.move(Imm(4))
		})
		for j := range acc {
			for i, v := range acc[j] {
				VMOVUPS(v, c.at(j, 4*s.lanes*i))
			}
		}
	}
	Label("columns")
	CMPQ(left, U32(2*s.lanes))
	JL(LabelRef("rest"))
	block("row", 2)
	c.move(U32(8 * s.lanes))
	ADDQ(U32(8*s.lanes), columns)
	SUBQ(U32(2*s.lanes), left)
	JMP(LabelRef("columns"))
	Label("rest")
	TESTQ(left, left)
	JE(LabelRef("done"))
	block("last", 1)
	Label("done")
	finish()
}
