package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var little = binary.LittleEndian

// npy reads the rows of an array.
type npy struct {
	in   *bufio.Reader
	rows int64 // as the header says
	dim  int
	element
	done int64
	buf  []byte // of a row
}

// The header is a Python dictionary of three entries, padded with spaces.
var (
	npyDescr   = regexp.MustCompile(`['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|([\[(]))`)
	npyFortran = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	npyShape   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
)

const (
	maxNPYHeader = 1 << 16 // far above what arrays of numbers need, some 100 bytes
	maxDimension = 1 << 16 // larger than the dimension of any model
)

// newNPY reads the header. size is that of the file, or -1 if it is unknown.
func newNPY(in *bufio.Reader, size int64) (*npy, error) {
	head, _ := in.Peek(12) // shorter than any header
	if len(head) < 12 {
		return nil, errHeaderEnds
	}
	skip, length := 10, int(little.Uint16(head[8:]))
	switch version := head[6]; version {
	case 1:
	case 2, 3:
		skip, length = 12, int(little.Uint32(head[8:]))
	default:
		return nil, fmt.Errorf("it has version %d of the npy format, 1 to 3 are read; save it again with numpy.save", version)
	}
	if length > maxNPYHeader {
		return nil, fmt.Errorf("its header has %d bytes, far more than an array of numbers needs; the file is damaged", length)
	}
	header := make([]byte, skip+length)
	switch _, err := io.ReadFull(in, header); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errHeaderEnds
	case err != nil:
		return nil, err
	}
	n := &npy{in: in}
	if err := n.parse(string(header[skip:])); err != nil {
		return nil, err
	}
	if size >= 0 {
		size -= int64(len(header))
	}
	if err := n.check(size); err != nil {
		return nil, err
	}
	n.buf = make([]byte, n.dim*n.size)
	return n, nil
}

var errHeaderEnds = errors.New("the file ends within its header; it is not a whole npy file")

func (n *npy) parse(header string) error {
	descr, fortran, shape := npyDescr.FindStringSubmatch(header), npyFortran.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	switch {
	case descr == nil || fortran == nil || shape == nil:
		return errors.New("its header has no descr, fortran_order or shape that can be read; the file is damaged")
	case descr[2] != "":
		return errors.New("its elements are records; save the column of vectors alone, as an array of two axes")
	case strings.HasPrefix(descr[1], "|O"):
		return errors.New("it holds Python objects, which are pickled: loading them could run anything, so it is not done; save numpy.stack(array).astype('float32')")
	}
	var known bool
	if n.element, known = npyElements[strings.TrimLeft(descr[1], "<|=")]; !known {
		return fmt.Errorf("its numbers are of type %.20q, but f4, f2, f8, i1 and u1, little-endian, are read; save array.astype('float32')", descr[1])
	}
	var axes []int64
	for field := range strings.SplitSeq(shape[1], ",") {
		// Python 2 wrote 3L.
		if field = strings.TrimSuffix(strings.TrimSpace(field), "L"); field == "" {
			continue
		}
		axis, err := strconv.ParseUint(field, 10, 63)
		if err != nil {
			return fmt.Errorf("its shape (%.40s) cannot be read; the file is damaged", shape[1])
		}
		axes = append(axes, int64(axis))
	}
	switch {
	case len(axes) == 1: // one vector
		axes = []int64{1, axes[0]}
	case len(axes) != 2:
		return fmt.Errorf("it has %d axes, but two are read: rows and dimension; save array.reshape(rows, dimension)", len(axes))
	}
	if axes[1] == 0 || axes[1] > maxDimension { // before a row is allocated
		return fmt.Errorf("the header says dimension %d, the limit is %d; the file is damaged, or has another format", axes[1], maxDimension)
	}
	n.rows, n.dim = axes[0], int(axes[1])
	if fortran[1] == "True" && n.rows > 1 && n.dim > 1 {
		return errors.New("its array lies column by column (Fortran order) and cannot be read row by row; save numpy.ascontiguousarray(array)")
	}
	return nil
}

// check compares the header with the number of bytes after it, or -1 if that is unknown.
func (n *npy) check(bytes int64) error {
	row := int64(n.dim * n.size)
	switch {
	case n.rows == 0:
		return errors.New("its header gives no rows; save the vectors again")
	case bytes < 0:
	case n.rows > bytes/row:
		return fmt.Errorf("the header says %d rows of dimension %d, the file has bytes for %d; copy or save it again", n.rows, n.dim, bytes/row)
	case bytes != n.rows*row:
		return fmt.Errorf("the header says %d rows of dimension %d, but %d more bytes follow; save it again", n.rows, n.dim, bytes-n.rows*row)
	}
	return nil
}

func (n *npy) line() int { return 0 }

func (n *npy) next() (Row, error) {
	if n.done == n.rows {
		_, err := n.in.ReadByte()
		if err == nil {
			err = errors.New("the file goes on after its last row; its header is wrong or two files were joined: save it again")
		}
		return Row{}, err
	}
	switch _, err := io.ReadFull(n.in, n.buf); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Row{}, fmt.Errorf("the file ends here, but its header says %d rows; copy or save it again", n.rows)
	case err != nil:
		return Row{}, err
	}
	n.done++
	v := make([]float32, n.dim)
	for i := range v {
		v[i] = n.value(n.buf[i*n.size:])
	}
	return Row{Vector: v}, nil
}

// element describes how a number is stored.
type element struct {
	size  int
	value func(b []byte) float32 // little-endian
}

var npyElements = map[string]element{
	"f4": {4, func(b []byte) float32 { return math.Float32frombits(little.Uint32(b)) }},
	"f2": {2, func(b []byte) float32 { return fromHalf(little.Uint16(b)) }},
	"f8": {8, func(b []byte) float32 { return float32(math.Float64frombits(little.Uint64(b))) }},
	"i1": {1, func(b []byte) float32 { return float32(int8(b[0])) }},
	"u1": {1, func(b []byte) float32 { return float32(b[0]) }},
}

func fromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero, or fraction·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

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
		return errors.New("it has no vector, and an npy file holds nothing else; write jsonl")
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

// finish overwrites the header now that the number of rows is known.
func (w *npyWriter) finish() error {
	if err := w.temp.Flush(); err != nil {
		return err
	}
	_, err := w.temp.file.WriteAt(w.header(), 0)
	return err
}

// header returns the header, always of the same size.
func (w *npyWriter) header() []byte {
	const before, size = npyMagic + "\x01\x00", 128 // with room for the largest numbers
	header := little.AppendUint16([]byte(before), uint16(size-len(before)-2))
	header = fmt.Appendf(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", w.rows, w.dim)
	header = append(header, strings.Repeat(" ", size-1-len(header))...)
	return append(header, '\n')
}
