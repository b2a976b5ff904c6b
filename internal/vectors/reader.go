package vectors

import (
	"errors"
	"io"
)

// ReadOptions are options for reading; the zero value works for most files.
type ReadOptions struct {
	Format Format // "": as the file's name and its first bytes tell
	Fields Fields // of JSON lines and parquet

	// Side is a file of JSON lines with what belongs to the vectors, for formats that hold
	// only vectors.
	Side string
}

// decoder reads a format. The Reader completes its errors.
type decoder interface {
	// next returns a row and its place, or io.EOF after the last.
	next() (Row, place, error)
	count() (rows int64, known bool)
}

// Reader reads the rows of a file. It is not safe for concurrent use.
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

// Open opens a file and reads its first row. Errors that concern the whole file, such as a size
// that differs from the header, are reported here.
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
	case Parquet:
		return newTable(src, o.Fields)
	case JSONL:
		return newObjects(src, o.Fields)
	case "":
		return nil, bad(ErrFormat, "its name and its first bytes do not show the format%s; name one of %s", likeness(src.head()), some(Formats()))
	}
	return nil, bad(ErrFormat, "there is no format %s; name one of %s", clip(string(format)), some(Formats()))
}

// Dimension returns the dimension of all vectors, or 0 if the first row has none.
func (r *Reader) Dimension() int { return r.shape.dim }

// Rows returns the number of rows that the file claims, if known. Use it for progress; only
// Next knows the truth.
func (r *Reader) Rows() (n int64, known bool) { return r.dec.count() }

// Skipped returns the columns of a parquet file that are not read: lists of lists, maps, bytes,
// decimals.
func (r *Reader) Skipped() []string {
	if t, ok := r.dec.(*table); ok {
		return t.skipped
	}
	return nil
}

// Next returns the next row, which belongs to the caller, or io.EOF after the last. With
// ErrNotFinite and ErrZero it also returns the row, and the next call continues. Any other
// error is final.
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
