package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sign codes are summed by table: VPSHUFB looks up sixteen nibbles at once if they share a
// table, that is, if they are the same nibble of sixteen rows. So 32 rows are first
// transposed into a scratch buffer, which all queries then read.
//
// A chunk is 32 bytes of each row. Its scratch has, for k = 0…15, for the low and the high
// nibbles, for the first and the last sixteen rows, 32 bytes: the nibbles of byte k of the
// rows, then of byte 16+k. A query's tables have the same order without the rows.

// transpose emits the kernel that fills the scratch.
func transpose() {
	begin("transposeAVX2", "func(scratch, rows *byte, size int)", "lays out 32 rows of size bytes, a multiple of 8, for lookupAVX2.")
	scratch, size := param("scratch"), param("size")
	low := lowNibbles()
	tail := tailMask(size, 0)

	at, end, fetch := GP64(), GP64(), GP64()
	Load(Param("rows"), at) // the chunk in the first row
	MOVQ(at, fetch)
	MOVQ(at, end)
	ADDQ(size, end)
	left := GP64()

	Label("chunk")
	MOVQ(end, left)
	SUBQ(at, left)
	CMPQ(left, Imm(32))
	JL(LabelRef("tail"))
	for line := 0; line < 1024; line += 64 {
		PREFETCHT1(Mem{Base: fetch, Disp: linearAhead + line})
	}
	ADDQ(U32(1024), fetch)
	turn(scratch, at, size, low, nil)
	ADDQ(Imm(32), at)
	ADDQ(U32(2048), scratch)
	JMP(LabelRef("chunk"))
	Label("tail")
	TESTQ(left, left)
	JE(LabelRef("end"))
	turn(scratch, at, size, low, tail)
	Label("end")
	finish()
}

// turn emits the transposition of one chunk of 32 rows. Four rounds of interleaving rows i
// and i+8, then i+4, i+2 and i+1, put each byte of sixteen rows side by side in order. The
// lower and the upper eight bytes of the lanes are separated in the first round and processed
// one after the other, to need fewer registers.
func turn(scratch, at, size reg.GPVirtual, low, mask reg.VecVirtual) {
	for group := range 2 {
		for half := range 2 {
			row := GP64()
			MOVQ(at, row)
			if group == 1 {
				MOVQ(size, row)
				SHLQ(Imm(4), row)
				ADDQ(at, row)
			}
			other := GP64()
			LEAQ(Mem{Base: row, Index: size, Scale: 8}, other)
			var v []reg.VecVirtual
			for range 8 {
				a, b := YMM(), YMM()
				if mask != nil {
					VPMASKMOVQ(Mem{Base: row}, mask, a)
					VPMASKMOVQ(Mem{Base: other}, mask, b)
				} else {
					VMOVDQU(Mem{Base: row}, a)
					VMOVDQU(Mem{Base: other}, b)
				}
				ADDQ(size, row)
				ADDQ(size, other)
				if half == 0 {
					VPUNPCKLBW(b, a, a)
				} else {
					VPUNPCKHBW(b, a, a)
				}
				v = append(v, a)
			}
			for k, column := range interleaved(v) {
				high := YMM()
				VPSRLW(Imm(4), column, high)
				VPAND(low, column, column)
				VPAND(low, high, high)
				to := (8*half+k)*128 + 32*group
				VMOVDQU(column, Mem{Base: scratch, Disp: to})
				VMOVDQU(high, Mem{Base: scratch, Disp: to + 64})
			}
		}
	}
}

// interleaved interleaves the bytes of the first half of v with those of the second, and
// recursively the lower and the upper results.
func interleaved(v []reg.VecVirtual) []reg.VecVirtual {
	if len(v) == 1 {
		return v
	}
	var lower, upper []reg.VecVirtual
	for i := range len(v) / 2 {
		a, b, u := v[i], v[i+len(v)/2], YMM()
		VPUNPCKHBW(b, a, u)
		VPUNPCKLBW(b, a, a)
		lower, upper = append(lower, a), append(upper, u)
	}
	return append(interleaved(lower), interleaved(upper)...)
}

// lookup emits the kernel that sums one query's tables over the scratch.
func lookup() {
	begin("lookupAVX2", "func(out *float32, table, scratch *byte, chunks int, scales *float32, bias int32, scale, base float32)", "is dots1Go for the 32 rows that transposeAVX2 laid out.")
	table, scratch, chunks := param("table"), param("scratch"), param("chunks")

	// Entries are at most 56, so four fit in a byte. As 16-bit words, whole adds up even bytes
	// plus 256 times odd ones, and odd the odd bytes.
	var whole, odd [2]reg.VecVirtual
	for g, acc := range accumulators(2, 2) {
		whole[g], odd[g] = acc[0], acc[1]
	}
	SHLQ(Imm(3), chunks)
	Label("bytes") // two byte columns per iteration
	TESTQ(chunks, chunks)
	JE(LabelRef("sum"))
	var sum [2]reg.VecVirtual
	for i := range 4 {
		t := YMM()
		VMOVDQU(Mem{Base: table, Disp: 32 * i}, t)
		for g := range 2 {
			x := YMM()
			VPSHUFB(Mem{Base: scratch, Disp: 64*i + 32*g}, t, x)
			if i == 0 {
				sum[g] = x
			} else {
				VPADDB(x, sum[g], sum[g])
			}
		}
	}
	for g := range 2 {
		VPADDW(sum[g], whole[g], whole[g])
		VPSRLW(Imm(8), sum[g], sum[g])
		VPADDW(sum[g], odd[g], odd[g])
	}
	ADDQ(U32(128), table)
	ADDQ(U32(256), scratch)
	DECQ(chunks)
	JMP(LabelRef("bytes"))

	Label("sum")
	out, scales := param("out"), param("scales")
	scale, base, bias := YMM(), YMM(), YMM()
	VBROADCASTSS(arg("scale"), scale)
	VBROADCASTSS(arg("base"), base)
	VMOVD(Load(Param("bias"), GP32()), bias.AsX())
	VPBROADCASTD(bias.AsX(), bias)
	for g := range 2 {
		t := YMM()
		VPSLLW(Imm(8), odd[g], t)
		VPSUBW(t, whole[g], whole[g])
		foldLanes(whole[g], VPADDW)
		foldLanes(odd[g], VPADDW)
		for half := range 2 {
			x := YMM()
			if half == 0 {
				VPUNPCKLWD(odd[g].AsX(), whole[g].AsX(), x.AsX())
			} else {
				VPUNPCKHWD(odd[g].AsX(), whole[g].AsX(), x.AsX())
			}
			VPMOVZXWD(x.AsX(), x)
			VPSUBD(bias, x, x)
			VCVTDQ2PS(x, x)
			at := 64*g + 32*half
			VMULPS(Mem{Base: scales, Disp: at}, x, x)
			VMULPS(scale, x, x)
			VADDPS(base, x, x)
			VMOVUPS(x, Mem{Base: out, Disp: at})
		}
	}
	finish()
}

// lowNibbles loads bytes with the value 15.
func lowNibbles() reg.VecVirtual {
	v := YMM()
	VPCMPEQB(v, v, v)
	VPSRLW(Imm(12), v, v)
	t := YMM()
	VPSLLW(Imm(8), v, t)
	VPOR(t, v, v)
	return v
}
