package vectors

import (
	"fmt"
	"math"
	"strings"
)

// npyWriter writes version 1 of the npy format, row by row. The header, with the number of
// rows, is completed at the end.
type npyWriter struct {
	temp *temporary
	rows int64
	dim  int
	buf  []byte
}

func (w *npyWriter) write(row *Row) error {
	if len(row.Vector) == 0 {
		return bad(ErrDimension, "it has no vector, and the format holds nothing else; write jsonl or parquet")
	}
	w.buf = w.buf[:0]
	if w.rows == 0 {
		w.dim = len(row.Vector)
		w.buf = append(w.buf, w.header()...)
	}
	w.rows++
	for _, x := range row.Vector {
		w.buf = little.AppendUint32(w.buf, math.Float32bits(x))
	}
	_, err := w.temp.Write(w.buf)
	return err
}

func (w *npyWriter) finish() error { return w.temp.patch(w.header()) }

// header returns the header, always of the same size.
func (w *npyWriter) header() []byte {
	const before, size = "\x93NUMPY\x01\x00", 128 // with room for the largest numbers
	header := little.AppendUint16([]byte(before), uint16(size-len(before)-2))
	header = fmt.Appendf(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", w.rows, w.dim)
	header = append(header, strings.Repeat(" ", size-1-len(header))...)
	return append(header, '\n')
}
