// Command kernels generates the assembly of the package given by -pkg: vec, whose kernels
// scan vectors, or nn, whose kernels are the built-in encoder's layers. It is a separate
// module to keep its dependencies out of the main module; `go generate` in those packages
// runs it.
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
		log.Fatalf("no kernels for package %q; use -pkg vec or -pkg nn", name)
	}
	Generate()
}

// scans generates the kernels of package vec.
func scans() {
	for q := 1; q <= 4; q++ {
		dots(q)
		gather(q)
		dots8(q)
	}
	find()
	read()
}

// layers generates the kernels of package nn.
func layers() {
	linearVNNI()
	linearAVX2()
	round(avx512, "roundVNNI", "uint8", ", with codes that are not negative")
	round(avx2, "roundAVX2", "int16", "")
	for _, s := range []set{avx2, avx512} {
		product(s)
		softmax(s)
		gelu(s)
	}
	addNorm()
}
