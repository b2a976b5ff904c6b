package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/nsfl-go/nsfl/engine"
)

// decoder reads a format. The Reader completes its errors.
type decoder interface {
	// next returns a row, or io.EOF after the last.
	next() (Row, error)
	// line returns the line of the last row, or 0 if the file has no lines.
	line() int
}

// Reader reads the rows of a file. It is not safe for concurrent use.
type Reader struct {
	path  string
	file  *os.File
	dec   decoder
	side  *Reader
	shape shape
	row   int64 // the next one
	first Row   // read by Open
	err   error // that ended the reading
}

// Open opens a file and reads its first row. It reports errors that concern the whole file,
// such as a size that differs from the header. The format is that of the first bytes. side, which
// may be empty, is a file of JSON lines with what belongs to the vectors of an npy file.
func Open(path, side string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	r := &Reader{path: path, file: file}
	if err := r.open(side); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Reader) open(side string) (err error) {
	if r.dec, err = newDecoder(r.file); err != nil {
		return fmt.Errorf("reading %s: %w", r.path, err)
	}
	r.first, err = r.dec.next()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("reading %s: there is no row in it", r.path)
	} else if err != nil {
		return r.fail(err)
	}
	r.shape = shapeOf(&r.first)
	if side == "" {
		return nil
	}
	if r.dec.line() > 0 {
		return fmt.Errorf("reading %s: JSON lines hold ids and texts themselves; leave %s out", r.path, side)
	}
	if r.side, err = Open(side, ""); err == nil && r.side.shape.vector {
		err = fmt.Errorf("reading %s: it has vectors itself; import it alone, or leave them out", side)
	}
	return err
}

func newDecoder(file *os.File) (decoder, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	size := int64(-1) // not known, as of a pipe
	switch {
	case info.IsDir():
		return nil, errors.New("it is a folder; give the files in it one by one")
	case info.Mode().IsRegular():
		size = info.Size()
	}
	in := bufio.NewReaderSize(file, 1<<20)
	head, _ := in.Peek(16)
	if len(head) == 0 {
		return nil, errors.New("the file is empty")
	}
	if err := checkFormat(head); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(npyMagic)) {
		return newNPY(in, size)
	}
	return newJSONL(in)
}

// Dimension returns the dimension of all vectors, or 0 if the first row has none.
func (r *Reader) Dimension() int { return r.shape.dim }

// Next returns the next row, which belongs to the caller, or io.EOF after the last. An error
// ends the reading.
func (r *Reader) Next() (Row, error) {
	if r.err != nil {
		return Row{}, r.err
	}
	row, err := r.next()
	if err != nil {
		r.err = err
		return Row{}, err
	}
	r.row++
	return row, nil
}

func (r *Reader) next() (row Row, err error) {
	row, r.first = r.first, Row{}
	if r.row > 0 {
		if row, err = r.dec.next(); errors.Is(err, io.EOF) {
			return row, r.endSide()
		} else if err != nil {
			return row, r.fail(err)
		}
	}
	if r.side != nil {
		more, err := r.side.Next()
		if errors.Is(err, io.EOF) {
			return row, fmt.Errorf("reading %s: it has %d rows, but %s has more; both need the same rows in the same order", r.side.path, r.row, r.path)
		} else if err != nil {
			return row, err
		}
		more.Vector = row.Vector
		row = more
	}
	if err := r.shape.check(&row); err != nil {
		return row, r.fail(err)
	}
	return row, nil
}

// endSide returns io.EOF if both files end together.
func (r *Reader) endSide() error {
	if r.side == nil {
		return io.EOF
	}
	_, err := r.side.Next()
	if err == nil {
		return fmt.Errorf("reading %s: it goes on after the %d rows of %s; both need the same rows in the same order", r.side.path, r.row, r.path)
	}
	return err
}

// fail adds the position of the row to an error.
func (r *Reader) fail(err error) error {
	if line := r.dec.line(); line > 0 {
		return fmt.Errorf("reading %s: row %d (line %d): %w", r.path, r.row, line, err)
	}
	return fmt.Errorf("reading %s: row %d: %w", r.path, r.row, err)
}

// Close closes the file.
func (r *Reader) Close() error {
	var err error
	if r.side != nil {
		err = r.side.Close()
	}
	return errors.Join(err, r.file.Close())
}

const (
	npyMagic = "\x93NUMPY"
	zipMagic = "\x1f\x8b\x08"
)

// others lists the first bytes of formats that are not read.
var others = []struct{ magic, advice string }{
	{"PAR1", "a parquet file; save it as JSON lines, in Python with table.to_json('rows.jsonl', orient='records', lines=True)"},
	{"PK\x03\x04", "a zip archive, which an npz file is too; save each array with numpy.save"},
	{"\x28\xb5\x2f\xfd", "a file compressed with zstd; decompress it"},
	{"\x89HDF\r\n", "an HDF5 file; save the array with numpy.save"},
	{"ARROW1", "an Arrow file; save the table as JSON lines"},
	{"\x80", "a pickle, which could run anything when loaded; save the array with numpy.save"},
}

// checkFormat returns an error if a file begins like one of a format that is not read.
func checkFormat(head []byte) error {
	for _, o := range others {
		if bytes.HasPrefix(head, []byte(o.magic)) {
			return fmt.Errorf("it begins like %s", o.advice)
		}
	}
	return nil
}

// Row is a vector and its document. Missing parts are empty. Either all passages of a row have
// vectors or none has.
type Row = engine.Document

// shape describes what all rows of a file have in common.
type shape struct {
	dim    int  // of whatever vectors there are; 0: none was seen yet
	vector bool // every row has one of its own; otherwise none has
}

// shapeOf returns the shape of a file with row as its first.
func shapeOf(row *Row) shape {
	s := shape{dim: len(row.Vector), vector: len(row.Vector) > 0}
	s.passages(row)
	return s
}

// passages takes the dimension from a passage if no vector came before.
func (s *shape) passages(row *Row) {
	for i := range row.Passages {
		if s.dim == 0 {
			s.dim = len(row.Passages[i].Vector)
		}
	}
}

// check returns an error for an invalid row.
func (s *shape) check(row *Row) error {
	s.passages(row)
	switch n := len(row.Vector); {
	case n == 0 && s.vector:
		return errors.New("it has no vector, the rows before it have; give all of them one, or none")
	case n > 0 && !s.vector:
		return errors.New("it has a vector, the rows before it have none; give all of them one, or none")
	case n > 0 && n != s.dim:
		return fmt.Errorf("its vector has dimension %d, those before it have %d; all rows must come from one model", n, s.dim)
	}
	if s.vector {
		if err := checkValues("its vector", row.Vector); err != nil {
			return err
		}
	}
	for i, p := range row.Passages {
		switch n := len(p.Vector); {
		case (n > 0) != (len(row.Passages[0].Vector) > 0):
			return errors.New("only some of its passages have a vector; give all of them one, or none")
		case n == 0:
			continue
		case n != s.dim:
			return fmt.Errorf("the vector of passage %d has dimension %d, not %d as others in the file", i, n, s.dim)
		}
		if err := checkValues("the vector of a passage", p.Vector); err != nil {
			return err
		}
	}
	return nil
}

func checkValues(what string, v []float32) error {
	isZero := true
	for i, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("component %d of %s is NaN, infinite or too large for float32; encode that document again, or leave the row out", i, what)
		}
		isZero = isZero && x == 0
	}
	if isZero {
		return fmt.Errorf("%s is zero and has no direction; encode that document again, or leave the row out", what)
	}
	return nil
}
