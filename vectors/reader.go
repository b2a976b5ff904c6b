package vectors

import (
	"errors"
	"io"
)

// ReadOptions say how a file is read; the zero value is good for most.
type ReadOptions struct {
	Format Format // "": as the file's name and its first bytes tell
	Tensor string // of a safetensors file; "": the only one
	Fields Fields // of JSON lines and parquet

	// Side is a file with what belongs to the vectors, row by row, for formats
	// that hold nothing but vectors: JSON lines without vectors, or, if its name
	// ends in .txt, an id on each line. "": none.
	Side string
}

// decoder reads a format. Its errors are filled in by the Reader.
type decoder interface {
	// next is a row and where it begins. After the last it is io.EOF.
	next() (Row, place, error)
	count() (rows int64, known bool)
}

// Reader goes through the rows of a file. It is not safe for concurrent use.
type Reader struct {
	path    string
	src     *source
	dec     decoder
	side    *Reader
	shape   shape
	row     int64 // the next one
	first   Row   // read by Open
	firstAt place
	stopped error
}

// Open opens a file and reads its first row. What can be seen to be wrong with the
// whole of it, such as a size that is not what the header tells, is an error here.
func Open(path string, o ReadOptions) (*Reader, error) {
	src, err := openSource(path)
	if err != nil {
		return nil, (&Reader{path: path}).fail(err, -1, nowhere)
	}
	r := &Reader{path: path, src: src}
	if err := r.open(o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Reader) open(o ReadOptions) error {
	format := o.Format
	if len(r.src.head()) == 0 {
		return r.fail(bad(ErrEmpty, "the file is empty"), -1, nowhere)
	}
	if format == "" {
		format = FormatOf(r.path)
	}
	if format == "" {
		format = recognize(r.src.head())
	}
	var err error
	if r.dec, err = newDecoder(r.src, format, o); err != nil {
		return r.fail(err, -1, nowhere)
	}
	r.first, r.firstAt, err = r.dec.next()
	if errors.Is(err, io.EOF) {
		return r.fail(bad(ErrEmpty, "there is no row in it"), -1, nowhere)
	} else if err != nil {
		return r.fail(err, 0, r.firstAt)
	}
	r.shape = shapeOf(&r.first)
	if o.Side == "" {
		return nil
	}
	if format == JSONL || format == Parquet {
		return r.fail(bad(ErrFormat, "a file of the format %s holds ids and texts itself; leave %s out", format, o.Side), -1, nowhere)
	}
	return r.openSide(o)
}

func newDecoder(src *source, format Format, o ReadOptions) (decoder, error) {
	switch format {
	case NPY:
		return newNPY(src)
	case Safetensors:
		return newSafetensors(src, o.Tensor)
	case Parquet:
		return newTable(src, o.Fields)
	case JSONL:
		return newObjects(src, o.Fields)
	case idList:
		return newIDs(src)
	case "":
		return nil, bad(ErrFormat, "neither its name nor its first bytes tell the format%s; name one of %s", likeness(src.head()), some(Formats()))
	}
	return nil, bad(ErrFormat, "there is no format %s; name one of %s", clip(string(format)), some(Formats()))
}

// Dimension is that of all vectors in the file; 0: its first row has none.
func (r *Reader) Dimension() int { return r.shape.dim }

// Rows is how many there are, as far as the file tells without being read. It is
// for showing how far one is; Next finds out whether it is true.
func (r *Reader) Rows() (n int64, known bool) { return r.dec.count() }

// Skipped are the columns of a parquet file that have no place in a row: lists of
// lists, maps, bytes, decimals.
func (r *Reader) Skipped() []string {
	if t, ok := r.dec.(*table); ok {
		return t.skipped
	}
	return nil
}

// Next is the next row, which belongs to the caller; after the last it is io.EOF.
// With ErrNotFinite and ErrZero the row comes beside the error, and the next call
// goes on. Any other error is final.
func (r *Reader) Next() (Row, error) {
	if r.stopped != nil {
		return Row{}, r.stopped
	}
	row, err := r.next()
	if err != nil && !goesOn(err) {
		r.stopped = err
		return Row{}, err
	}
	return row, err
}

func (r *Reader) next() (Row, error) {
	row, where, err := r.first, r.firstAt, error(nil)
	r.first = Row{}
	if r.row > 0 {
		row, where, err = r.dec.next()
	}
	number := r.row
	r.row++
	if errors.Is(err, io.EOF) {
		return Row{}, r.endSide()
	}
	if err != nil {
		return Row{}, r.fail(err, number, where)
	}
	if err := r.addSide(&row, number); err != nil {
		return row, err
	}
	if err := r.shape.check(&row); err != nil {
		return row, r.fail(err, number, where)
	}
	return row, nil
}

func (r *Reader) fail(err error, row int64, where place) error {
	return complete(err, "reading", r.path, row, where)
}

// Close closes the file.
func (r *Reader) Close() error {
	var err error
	if r.side != nil {
		err = r.side.Close()
	}
	return errors.Join(err, r.src.file.Close())
}
