package vec

import (
	"fmt"
	"math"
)

// Signs encodes vectors in one bit per dimension: the signs of the difference from a mean,
// after a rotation that spreads it evenly over all dimensions, and a scale per vector. A
// query keeps four bits per dimension, so the estimate is asymmetric. Signs is immutable and
// safe for concurrent use.
//
// With r the rotated difference, s the signs of r, and p the rotated query, ⟨r,p⟩ is
// estimated by ⟨s,p⟩·⟨r,r⟩/⟨s,r⟩: exact if p is parallel to r, and unbiased over random
// rotations (the estimator of RaBitQ, Gao and Long, arXiv:2405.12497).
type Signs struct {
	mean     []float32
	rotation rotation
}

// MaxDim1 is the largest dimension of sign codes: table sums, at most 14 per dimension, fit
// in the 16 bits that the assembly uses.
const MaxDim1 = 1 << 12

// limit1 is the largest magnitude of a query's rounded component.
const limit1 = 7

// chunk1 is the number of bytes of a row in an assembly register.
const chunk1 = 32

// NewSigns returns a coder for vectors around mean, which fixes the dimension. Codes depend
// on the mean and are comparable only with queries of the same mean.
func NewSigns(mean []float32) (*Signs, error) {
	if len(mean) == 0 {
		return nil, fmt.Errorf("sign codes: mean of dimension 0")
	}
	if len(mean) > MaxDim1 {
		return nil, fmt.Errorf("sign codes: dimension %d, want at most %d", len(mean), MaxDim1)
	}
	if n := Norm(mean); math.IsNaN(n) || math.IsInf(n, 0) {
		return nil, fmt.Errorf("sign codes: mean: %w", ErrNotFinite)
	}
	return &Signs{append([]float32(nil), mean...), newRotation(len(mean))}, nil
}

// Size returns the length of a code in bytes, a multiple of 8.
func (s *Signs) Size() int { return (len(s.mean) + 63) / 64 * 8 }

// Encode writes the code of v and returns its scale. The scale of the mean itself is 0. The
// scale of a vector with a NaN or infinite component is NaN, which makes every estimate with
// it NaN. Encode panics if len(code) is not Size or len(v) not the dimension.
func (s *Signs) Encode(code []byte, v []float32) (scale float32) {
	if len(code) != s.Size() || len(v) != len(s.mean) {
		panic(fmt.Sprintf("vec: code of %d bytes for dimension %d, want %d for %d",
			len(code), len(v), s.Size(), len(s.mean)))
	}
	r := append([]float32(nil), v...)
	AddScaled(r, s.mean, -1)
	s.rotation.apply(r)
	clear(code)
	var sum, squares float64
	for i, x := range r {
		if x > 0 {
			code[i/8] |= 1 << (i % 8)
		}
		sum += math.Abs(float64(x))
		squares += float64(x) * float64(x)
	}
	if sum == 0 {
		return 0
	}
	return float32(squares / sum)
}

// Pack packs one to eight finite vectors of the coder's dimension.
func (s *Signs) Pack(vs ...[]float32) (*Queries1, error) {
	d, err := dimension(vs)
	if err != nil {
		return nil, err
	}
	if d != len(s.mean) {
		return nil, fmt.Errorf("packing queries for sign codes: dimension %d, want %d", d, len(s.mean))
	}
	q := &Queries1{size: s.Size()}
	for i, v := range vs {
		packed, err := s.pack(v)
		if err != nil {
			return nil, fmt.Errorf("packing query %d for sign codes: %w", i, err)
		}
		q.queries = append(q.queries, packed)
	}
	return q, nil
}

func (s *Signs) pack(v []float32) (query1, error) {
	p := append([]float32(nil), v...)
	s.rotation.apply(p)
	top := float64(largest(p))
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return query1{}, ErrNotFinite
	}
	q := query1{
		table: make([]byte, (s.Size()+chunk1-1)/chunk1*chunk1*32),
		scale: float32(top / limit1),
		base:  dot(s.mean, v),
	}
	if q.scale == 0 {
		return q, nil
	}
	u := make([]int, 8*s.Size())
	for i, x := range p {
		u[i] = int(math.RoundToEven(float64(x) / top * limit1))
	}
	for b := range s.Size() {
		q.tabulate(tableAt(b), u[8*b:8*b+4])
		q.tabulate(tableAt(b)+highNibble, u[8*b+4:8*b+8])
	}
	return q, nil
}

// Queries1 holds one to eight query vectors packed for a pass over sign codes. It is
// immutable and safe for concurrent use.
type Queries1 struct {
	size    int
	queries []query1
}

// query1 is a query rounded to small integers, as tables. For each nibble of a code and each
// value of the nibble there is the sum of its four components, added if the bit is set,
// subtracted if it is clear, and raised by the sum of their magnitudes to avoid negative
// values.
type query1 struct {
	table []byte
	bias  int32   // total by which a sum of entries is raised
	scale float32 // the rotated query is about scale times the integers
	base  float32 // inner product with the mean
}

// tableAt returns the offset of the sixteen entries for the low nibble of byte b; those for
// the high nibble follow highNibble later. Bytes k and 16+k of a chunk share a register of
// the assembly.
func tableAt(b int) int {
	chunk, lane, k := b/chunk1, b%chunk1/16, b%16
	return (chunk*16+k)*2*highNibble + lane*16
}

const highNibble = 32

// tabulate writes the entries of four components and adjusts the bias.
func (q *query1) tabulate(at int, u []int) {
	raised := 0
	for _, x := range u {
		raised += max(x, -x)
	}
	q.bias += int32(raised)
	for nibble := range 16 {
		sum := raised
		for i, x := range u {
			sum += x * (2*(nibble>>i&1) - 1)
		}
		q.table[at+nibble] = byte(sum)
	}
}

// Dots sets out[j][i] to an estimate of the inner product of query j and the vector with
// code row i and scale scales[i]. The integer product of the code and the rounded query is
// exact, followed by roundings to float32. The shapes are those of Queries.Dots, with the
// code's size as the dimension.
func (q *Queries1) Dots(out [][]float32, rows []byte, scales []float32) {
	n := rowCount(len(rows), q.size)
	checkColumns(out, len(q.queries), n)
	checkScales(scales, n)
	dots1(out, q.queries, rows, scales, q.size)
}
