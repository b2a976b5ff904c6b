// Command kernels writes the assembly of the package that -pkg names: vec, whose
// kernels scan vectors, or nn, whose kernels are the built-in encoder's layers. It is a
// module of its own so that its dependencies stay out of the main module; `go generate`
// in those packages runs it.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	switch name := flag.Lookup("pkg").Value.String(); name {
	case "vec":
		scans()
	case "nn":
		layers()
	default:
		log.Fatalf("there are no kernels for a package %q; name vec or nn with -pkg", name)
	}
	Generate()
}

// scans are the kernels of package vec.
func scans() {
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
}

// layers are the kernels of package nn.
func layers() {
	for t := 1; t <= tileTokens; t++ {
		linearVNNI(t)
		linearAVX2(t)
		product(t)
	}
	roundVNNI()
	roundAVX2()
	addNorm()
	softmax()
	expand()
	gelu()
}
