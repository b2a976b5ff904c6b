package vectors

import (
	"fmt"
	"math"
	"strings"
)

// npyHeader is the size of a header with room for the largest numbers.
const npyHeader = 128

// npyWriter writes version 1 of the format. How many rows there are is filled in
// at the end.
type npyWriter struct {
	temp *temporary
	half bool
	rows int64
	dim  int
	buf  []byte
}

func (w *npyWriter) write(row *Row) error {
	if err := needVector(row); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	if w.rows == 0 {
		w.dim = len(row.Vector)
		w.buf = append(w.buf, make([]byte, npyHeader)...)
	}
	w.rows++
	if w.half {
		return w.writeHalf(row)
	}
	w.buf = appendFloats(w.buf, row.Vector)
	_, err := w.temp.Write(w.buf)
	return err
}

func (w *npyWriter) writeHalf(row *Row) error {
	var any uint16
	for i, x := range row.Vector {
		h := toHalf(x)
		if h&0x7c00 == 0x7c00 {
			return bad(ErrNotFinite, "component %d, %g, is too large for 16 bits, which hold up to 65504; write 32 bits", i, x)
		}
		any |= h &^ 0x8000
		w.buf = little.AppendUint16(w.buf, h)
	}
	if any == 0 {
		return bad(ErrZero, "its vector is too small for 16 bits and would be zero; write 32 bits")
	}
	_, err := w.temp.Write(w.buf)
	return err
}

func (w *npyWriter) finish() error {
	descr := "<f4"
	if w.half {
		descr = "<f2"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, w.rows, w.dim)
	const before = "\x93NUMPY\x01\x00"
	header := little.AppendUint16([]byte(before), uint16(npyHeader-len(before)-2))
	header = append(header, text...)
	header = append(header, strings.Repeat(" ", npyHeader-1-len(header))...)
	return w.temp.patch(append(header, '\n'))
}

// vecsWriter writes fvecs.
type vecsWriter struct {
	temp *temporary
	buf  []byte
}

func (w *vecsWriter) write(row *Row) error {
	if err := needVector(row); err != nil {
		return err
	}
	w.buf = little.AppendUint32(w.buf[:0], uint32(len(row.Vector)))
	w.buf = appendFloats(w.buf, row.Vector)
	_, err := w.temp.Write(w.buf)
	return err
}

func (w *vecsWriter) finish() error { return nil }

// binWriter writes fbin. How many rows there are is filled in at the end.
type binWriter struct {
	temp *temporary
	rows int64
	dim  int
	buf  []byte
}

func (w *binWriter) write(row *Row) error {
	if err := needVector(row); err != nil {
		return err
	}
	if w.rows == math.MaxUint32 {
		return bad(ErrFormat, "an fbin file has at most %d rows; write npy", w.rows)
	}
	w.buf = w.buf[:0]
	if w.rows == 0 {
		w.dim = len(row.Vector)
		w.buf = append(w.buf, make([]byte, 8)...)
	}
	w.rows++
	w.buf = appendFloats(w.buf, row.Vector)
	_, err := w.temp.Write(w.buf)
	return err
}

func (w *binWriter) finish() error {
	return w.temp.patch(little.AppendUint32(little.AppendUint32(nil, uint32(w.rows)), uint32(w.dim)))
}

func appendFloats(b []byte, v []float32) []byte {
	for _, x := range v {
		b = little.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
