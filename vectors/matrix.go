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

// checkDimension keeps a header that lies from allocating a row. A file can
// only look like another, as head tells, where its own format has no first bytes.
func checkDimension(dim uint64, limit int, head []byte) error {
	if 0 < dim && dim <= uint64(limit) {
		return nil
	}
	advice := likeness(head)
	switch {
	case advice != "":
	case dim == 0:
		advice = "; the file is damaged, or not of this format"
	default:
		advice = "; the file is damaged or not of this format, or the limit has to be raised"
	}
	return bad(ErrDimension, "the header tells dimension %d, the limit is %d%s", dim, limit, advice)
}

// newMatrix begins at the next byte of src. Where the size of the file is known,
// it has to be what the header tells.
func newMatrix(src *source, rows, dim uint64, e element, limit int, head []byte) (*matrix, error) {
	if err := checkDimension(dim, limit, head); err != nil {
		return nil, err
	}
	m := &matrix{src: src, rows: int64(rows), dim: int(dim), element: e}
	m.buf = make([]byte, m.dim*e.size)
	if rows == 0 {
		return nil, bad(ErrEmpty, "the header tells that there are no rows%s; save the vectors again", likeness(head))
	}
	if src.size >= 0 {
		bytes := uint64(src.size - src.at)
		row := uint64(len(m.buf))
		switch whole := bytes / row; {
		case rows > whole:
			return nil, bad(ErrTruncated, "the header tells %d rows of dimension %d, the file has bytes for %d%s; copy or save it again", rows, dim, whole, likeness(head))
		case bytes != rows*row:
			return nil, bad(ErrTrailing, "the header tells %d rows of dimension %d, but %d more bytes follow%s; save it again", rows, dim, bytes-rows*row, likeness(head))
		}
	} else if m.rows < 0 {
		return nil, bad(ErrTruncated, "the header tells %d rows, more than any file has", rows)
	}
	return m, nil
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
