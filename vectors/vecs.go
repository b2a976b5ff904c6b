package vectors

import (
	"errors"
	"io"
	"slices"
)

// elements are those of formats whose names tell them.
var elements = map[Format]element{FVecs: float32s, BVecs: uint8s, IVecs: int32s, FBin: float32s, U8Bin: uint8s, I8Bin: int8s}

// newBin reads the header of the big-ann-benchmarks' files: the number of rows
// and the dimension, of four bytes each.
func newBin(src *source, format Format) (*matrix, error) {
	head := slices.Clone(src.head())
	var h [8]byte
	if err := src.header(h[:], format); err != nil {
		return nil, err
	}
	return newMatrix(src, uint64(little.Uint32(h[:])), uint64(little.Uint32(h[4:])), elements[format], src.left(), head)
}

// vecs reads the files of corpus-texmex: before each row stands its dimension.
type vecs struct {
	src *source
	element
	format Format
	dim    int // that of the first row
	buf    []byte
}

func newVecs(src *source, format Format) (*vecs, error) {
	v := &vecs{src: src, element: elements[format], format: format}
	head := src.head()
	if len(head) < 4 {
		return v, nil // an error of the first row
	}
	dim := little.Uint32(head)
	if err := checkDimension(uint64(dim), head); err != nil {
		return nil, err
	}
	v.dim = int(dim)
	v.buf = make([]byte, v.dim*v.size)
	return v, nil
}

// count is that of rows of one dimension, if the file has room for just these.
func (v *vecs) count() (int64, bool) {
	row := int64(4 + len(v.buf))
	return v.src.size / row, v.src.size > 0 && v.src.size%row == 0
}

func (v *vecs) next() (Row, place, error) {
	where := place{offset: v.src.at}
	var h [4]byte
	if err := v.src.fill(h[:]); err != nil {
		return Row{}, where, err
	}
	if dim := little.Uint32(h[:]); dim != uint32(v.dim) {
		return Row{}, where, bad(ErrDimension, "it tells dimension %d, the first row %d; the file is damaged, or not of the format %s", dim, v.dim, v.format)
	}
	if err := v.src.fill(v.buf); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, ErrTruncated) {
			err = bad(ErrTruncated, "the file ends within the row, at byte %d; copy or save it again", v.src.at)
		}
		return Row{}, where, err
	}
	row := Row{Vector: make([]float32, v.dim)}
	v.decode(row.Vector, v.buf)
	if v.format == IVecs {
		for i, x := range row.Vector {
			if n := int32(little.Uint32(v.buf[4*i:])); int64(x) != int64(n) {
				return Row{}, where, bad(ErrFormat, "%d is not exact as a float32; it looks like the number of a neighbour, and not part of a vector", n)
			}
		}
	}
	return row, where, nil
}
