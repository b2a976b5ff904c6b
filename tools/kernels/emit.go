package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func begin(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + doc)
}

func finish() {
	VZEROUPPER()
	RET()
}

func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// arg refers to a parameter in memory, to save registers.
func arg(name string) Op {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// columnNames lists the parameters o0, o1, …: the addresses of one column per query.
func columnNames(q int) string { return strings.Join([]string{"o0", "o1", "o2", "o3"}[:q], ", ") }

func columns(q int) (out []reg.GPVirtual) {
	for j := range q {
		out = append(out, param(fmt.Sprintf("o%d", j)))
	}
	return out
}

// byPairs emits the loop over n rows: pair for two of them, unless it is nil, then single for
// each remaining row. Both advance to the next row.
func byPairs(n reg.GPVirtual, pair, single func()) {
	if pair != nil {
		Label("pairs")
		CMPQ(n, Imm(2))
		JL(LabelRef("single"))
		pair()
		SUBQ(Imm(2), n)
		JMP(LabelRef("pairs"))
	}
	Label("single")
	TESTQ(n, n)
	JE(LabelRef("end"))
	single()
	DECQ(n)
	JMP(LabelRef("single"))
	Label("end")
	finish()
}

// along is the loop along a row of d elements and its packed queries.
type along struct {
	label           string
	width, rowBytes int // of a chunk: number of elements, and their size in the row
	queryBytes      int // size in all queries together
	unroll          int
	chunk           func(off, query reg.GPVirtual, u int) // emits the u-th chunk from here
	fetch           func(off reg.GPVirtual)               // emitted once per unrolled iteration; may be nil
	rest            func(off, query, left reg.GPVirtual)  // emits the elements after the last whole chunk
}

// emit emits the loop: unroll chunks at a time, then one, then the rest. off is the offset
// in the row in bytes.
func (a along) emit(d, packed Op) {
	off, query, left := GP64(), GP64(), GP64()
	XORQ(off, off)
	MOVQ(packed, query)
	MOVQ(d, left)
	advance := func(chunks int) {
		ADDQ(U32(a.rowBytes*chunks), off)
		ADDQ(U32(a.queryBytes*chunks), query)
		SUBQ(U32(a.width*chunks), left)
	}

	Label(a.label + "_unrolled")
	CMPQ(left, U32(a.width*a.unroll))
	JL(LabelRef(a.label + "_chunk"))
	for u := range a.unroll {
		a.chunk(off, query, u)
	}
	if a.fetch != nil {
		a.fetch(off)
	}
	advance(a.unroll)
	JMP(LabelRef(a.label + "_unrolled"))

	Label(a.label + "_chunk")
	CMPQ(left, U32(a.width))
	JL(LabelRef(a.label + "_rest"))
	a.chunk(off, query, 0)
	advance(1)
	JMP(LabelRef(a.label + "_chunk"))

	Label(a.label + "_rest")
	TESTQ(left, left)
	JE(LabelRef(a.label + "_done"))
	a.rest(off, query, left)
	Label(a.label + "_done")
}

// accumulators returns zeroed registers, one for each row and query.
func accumulators(rows, q int) (acc [][]reg.VecVirtual) {
	for range rows {
		var a []reg.VecVirtual
		for range q {
			v := YMM()
			VPXOR(v, v, v)
			a = append(a, v)
		}
		acc = append(acc, a)
	}
	return acc
}

// sums adds up the lanes of up to four accumulators with the given instructions: a tree over
// neighbours, then the two halves.
func sums(acc []reg.VecVirtual, neighbours func(b, a, to Op), add func(...Op)) reg.VecVirtual {
	at := func(i int) reg.VecVirtual { return acc[min(i, len(acc)-1)] }
	a, b := YMM(), YMM()
	neighbours(at(1), at(0), a)
	if len(acc) > 2 {
		neighbours(at(3), at(2), b)
		neighbours(b, a, a)
	} else {
		neighbours(a, a, a)
	}
	foldLanes(a, add)
	return a
}

// foldLanes adds the upper 128 bits of v to the lower.
func foldLanes(v reg.VecVirtual, add func(...Op)) {
	high := XMM()
	VEXTRACTI128(Imm(1), v, high)
	add(high, v.AsX(), v.AsX())
}

// scatter stores lane j of v at *out[j] and advances the pointers.
func scatter(v reg.VecVirtual, out []reg.GPVirtual) {
	for j, o := range out {
		if j == 0 {
			VMOVSS(v.AsX(), Mem{Base: o})
		} else {
			VEXTRACTPS(Imm(uint64(j)), v.AsX(), Mem{Base: o})
		}
		ADDQ(Imm(4), o)
	}
}

// tailMask loads a mask for the n elements of 1<<shift bytes that are left after whole
// registers of 32 bytes.
func tailMask(n reg.GPVirtual, shift uint64) reg.VecVirtual {
	if ones == nil {
		// 32 bytes of ones, then 32 of zeros.
		m := GLOBL("ones", RODATA|NOPTR)
		for i := range 8 {
			DATA(8*i, U64(uint64(i/4)-1))
		}
		ones = &m
	}
	t, table := GP64(), GP64()
	MOVQ(n, t)
	SHLQ(Imm(shift), t)
	ANDQ(Imm(31), t)
	NEGQ(t)
	LEAQ(*ones, table)
	v := YMM()
	VMOVDQU(Mem{Base: table, Index: t, Scale: 1, Disp: 32}, v)
	return v
}

var ones *Mem
