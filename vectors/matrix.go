package vectors

import (
	"errors"
	"io"
)

// matrix reads rows that lie one after the other.
type matrix struct {
	src  *source
	rows int64
	dim  int
	element
	tail bool // something may follow the last row
	done int64
	buf  []byte
}

// place is where a row begins.
type place struct {
	offset int64 // -1: not known
	line   int64 // 0: not a file of lines
}

var nowhere = place{offset: -1}

// maxDimension is above that of any model.
const maxDimension = 1 << 16

// checkDimension keeps a header that lies from allocating a row. A file can
// only look like another, as head tells, where its own format has no first bytes.
func checkDimension(dim uint64, head []byte) error {
	if 0 < dim && dim <= maxDimension {
		return nil
	}
	advice := likeness(head)
	if advice == "" {
		advice = "; the file is damaged, or not of this format"
	}
	return bad(ErrDimension, "the header tells dimension %d, the limit is %d%s", dim, maxDimension, advice)
}

// newMatrix begins at the next byte of src. Where it is known how many bytes follow
// that are the rows', they have to be as many as the header tells; -1: it is not.
func newMatrix(src *source, rows, dim uint64, e element, bytes int64, head []byte) (*matrix, error) {
	if err := checkDimension(dim, head); err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, bad(ErrEmpty, "the header tells that there are no rows%s; save the vectors again", likeness(head))
	}
	m := &matrix{src: src, rows: int64(rows), dim: int(dim), element: e, buf: make([]byte, int(dim)*e.size)}
	row := uint64(len(m.buf))
	switch whole := uint64(bytes) / row; {
	case bytes < 0 && m.rows < 0:
		return nil, bad(ErrTruncated, "the header tells %d rows, more than any file has", rows)
	case bytes < 0:
	case rows > whole:
		return nil, bad(ErrTruncated, "the header tells %d rows of dimension %d, the file has bytes for %d%s; copy or save it again", rows, dim, whole, likeness(head))
	case uint64(bytes) != rows*row:
		return nil, bad(ErrTrailing, "the header tells %d rows of dimension %d, but %d more bytes follow%s; save it again", rows, dim, uint64(bytes)-rows*row, likeness(head))
	}
	return m, nil
}

// twoAxes are those of an array: rows and dimension. One axis is one vector.
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
		if m.tail {
			return Row{}, where, io.EOF
		}
		return Row{}, where, m.src.end()
	}
	if err := m.src.fill(m.buf); err != nil {
		if errors.Is(err, io.EOF) {
			err = bad(ErrTruncated, "the file ends here, but its header tells %d rows; copy or save it again", m.rows)
		}
		return Row{}, where, err
	}
	m.done++
	v := make([]float32, m.dim)
	m.decode(v, m.buf)
	return Row{Vector: v}, where, nil
}
