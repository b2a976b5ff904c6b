package vectors

import (
	"errors"
	"io"
)

// matrix reads consecutive rows.
type matrix struct {
	src  *source
	rows int64
	dim  int
	element
	done int64
	buf  []byte
}

// place is the position of a row.
type place struct {
	offset int64 // -1: not known
	line   int64 // 0: not a file of lines
}

var nowhere = place{offset: -1}

// maxDimension is larger than the dimension of any model.
const maxDimension = 1 << 16

// newMatrix returns a reader of rows that start at the next byte of src. bytes is the
// size of all rows, or -1 if it is unknown; a header that disagrees with it is an error.
func newMatrix(src *source, rows, dim uint64, e element, bytes int64) (*matrix, error) {
	if dim == 0 || dim > maxDimension { // before a row is allocated
		return nil, bad(ErrDimension, "the header says dimension %d, the limit is %d; the file is damaged, or has another format", dim, maxDimension)
	}
	if rows == 0 {
		return nil, bad(ErrEmpty, "its header gives no rows; save the vectors again")
	}
	m := &matrix{src: src, rows: int64(rows), dim: int(dim), element: e, buf: make([]byte, int(dim)*e.size)}
	row := uint64(len(m.buf))
	switch whole := uint64(bytes) / row; {
	case bytes < 0 && m.rows < 0:
		return nil, bad(ErrTruncated, "the header says %d rows, more than any file has", rows)
	case bytes < 0:
	case rows > whole:
		return nil, bad(ErrTruncated, "the header says %d rows of dimension %d, the file has bytes for %d; copy or save it again", rows, dim, whole)
	case uint64(bytes) != rows*row:
		return nil, bad(ErrTrailing, "the header says %d rows of dimension %d, but %d more bytes follow; save it again", rows, dim, uint64(bytes)-rows*row)
	}
	return m, nil
}

// twoAxes returns the rows and dimension of an array. One axis is one vector.
func twoAxes(shape []uint64) (rows, dim uint64, err error) {
	switch len(shape) {
	case 1:
		return 1, shape[0], nil
	case 2:
		return shape[0], shape[1], nil
	}
	return 0, 0, bad(ErrFormat, "it has %d axes, but two are read: rows and dimension; save array.reshape(rows, dimension)", len(shape))
}

func (m *matrix) count() (int64, bool) { return m.rows, true }

func (m *matrix) next() (Row, place, error) {
	where := place{offset: m.src.at}
	if m.done == m.rows {
		return Row{}, where, m.src.end()
	}
	if err := m.src.fill(m.buf); err != nil {
		if errors.Is(err, io.EOF) {
			err = bad(ErrTruncated, "the file ends here, but its header says %d rows; copy or save it again", m.rows)
		}
		return Row{}, where, err
	}
	m.done++
	v := make([]float32, m.dim)
	m.decode(v, m.buf)
	return Row{Vector: v}, where, nil
}
