// Command gen writes vec's AVX2 kernels. It is a module of its own so that
// its dependencies stay out of the main module; `go generate` in vec runs it.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64,!noasm")
	dot()
	dot64()
	addScaled()
	for q := 1; q <= 4; q++ {
		dots(q)
		gather(q)
		dots8(q)
	}
	transpose()
	lookup()
	find()
	read()
	Generate()
}
