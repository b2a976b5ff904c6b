package lab

import "github.com/nsfl-go/nsfl/internal/vec"

// block stores rows of vectors contiguously, any number for each document.
type block struct {
	dim   int
	rows  []float32
	first []int // first row of each document, and the end of the last
}

func newBlock(dim int) *block { return &block{dim: dim, first: []int{0}} }

// add appends the rows of the next document.
func (b *block) add(vectors ...[]float32) {
	for _, v := range vectors {
		b.rows = append(b.rows, v...)
	}
	b.first = append(b.first, len(b.rows)/b.dim)
}

// len returns the number of documents.
func (b *block) len() int { return len(b.first) - 1 }

// row returns row i.
func (b *block) row(i int) []float32 { return b.rows[i*b.dim:][:b.dim:b.dim] }

// vectors returns the rows of a document.
func (b *block) vectors(document int) (out [][]float32) {
	for i := b.first[document]; i < b.first[document+1]; i++ {
		out = append(out, b.row(i))
	}
	return out
}

// of returns the values of a document, given the values of all rows.
func (b *block) of(values []float32, document int) []float32 {
	return values[b.first[document]:b.first[document+1]]
}

// cosines returns the cosines of all rows to the packed vectors.
func (b *block) cosines(packed *vec.Queries) [][]float32 {
	out := make([][]float32, packed.Len())
	for i := range out {
		out[i] = make([]float32, len(b.rows)/b.dim)
	}
	packed.Dots(out, b.rows)
	return out
}
