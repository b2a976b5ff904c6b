package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// read is the upper bound that benchmarks compare with.
func read() {
	begin("readAVX2", "func(p *float32, n int)", "reads n floats, a positive multiple of 64, and discards them.")
	v := accumulators(1, 4)[0]
	by(64, "loop", param("p"), param("n"), func(at reg.GPVirtual) {
		for u := range 8 {
			VPXOR(Mem{Base: at, Disp: 32 * u}, v[u%len(v)], v[u%len(v)])
		}
	})
	finish()
}
