package vectors

import (
	"fmt"
	"math"
	"strings"
)

// matrixWriter writes formats that hold only vectors, row by row. The header, with the number
// of rows, is completed at the end.
type matrixWriter struct {
	temp   *temporary
	header func(rows int64, dim int) []byte // always of the same size
	row    func(b []byte, v []float32) ([]byte, error)
	rows   int64
	dim    int
	buf    []byte
}

func (w *matrixWriter) write(row *Row) (err error) {
	if len(row.Vector) == 0 {
		return bad(ErrDimension, "it has no vector, and the format holds nothing else; write jsonl or parquet")
	}
	w.buf = w.buf[:0]
	if w.rows == 0 {
		w.dim = len(row.Vector)
		w.buf = append(w.buf, w.header(0, w.dim)...)
	}
	w.rows++
	if w.buf, err = w.row(w.buf, row.Vector); err != nil {
		return err
	}
	_, err = w.temp.Write(w.buf)
	return err
}

func (w *matrixWriter) finish() error { return w.temp.patch(w.header(w.rows, w.dim)) }

// newNPYWriter writes version 1 of the format.
func newNPYWriter(temp *temporary, half bool) *matrixWriter {
	const size = 128 // with room for the largest numbers
	descr, row := "<f4", appendFloats
	if half {
		descr, row = "<f2", appendHalves
	}
	return &matrixWriter{temp: temp, row: row, header: func(rows int64, dim int) []byte {
		const before = "\x93NUMPY\x01\x00"
		header := little.AppendUint16([]byte(before), uint16(size-len(before)-2))
		header = fmt.Appendf(header, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, rows, dim)
		header = append(header, strings.Repeat(" ", size-1-len(header))...)
		return append(header, '\n')
	}}
}

func appendFloats(b []byte, v []float32) ([]byte, error) {
	for _, x := range v {
		b = little.AppendUint32(b, math.Float32bits(x))
	}
	return b, nil
}

func appendHalves(b []byte, v []float32) ([]byte, error) {
	var any uint16
	for i, x := range v {
		h := toHalf(x)
		if h&0x7c00 == 0x7c00 {
			return b, bad(ErrNotFinite, "component %d, %g, is too large for 16 bits, which hold up to 65504; write 32 bits", i, x)
		}
		any |= h &^ 0x8000
		b = little.AppendUint16(b, h)
	}
	if any == 0 {
		return b, bad(ErrZero, "its vector is too small for 16 bits and would be zero; write 32 bits")
	}
	return b, nil
}
