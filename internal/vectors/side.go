package vectors

import (
	"errors"
	"io"
	"strings"
)

// openSide opens the side file.
func (r *Reader) openSide(o ReadOptions) error {
	format := JSONL
	if strings.HasSuffix(strings.ToLower(o.Side), ".txt") {
		format = idList
	}
	side, err := Open(o.Side, ReadOptions{Format: format, Fields: o.Fields})
	if err != nil {
		return err
	}
	r.side = side
	if side.shape.vector {
		return side.fail(bad(ErrFormat, "it has vectors itself; import it alone, or leave them out"), -1, nowhere)
	}
	return nil
}

// addSide adds the side file's part of a row.
func (r *Reader) addSide(row *Row, number int64) error {
	if r.side == nil {
		return nil
	}
	more, err := r.side.Next()
	if errors.Is(err, io.EOF) {
		return r.side.fail(bad(ErrTruncated, "it has %d rows, but %s has more; both need the same rows in the same order", number, r.path), -1, nowhere)
	}
	more.Vector = row.Vector
	*row = more
	return err
}

// endSide returns io.EOF if both files end together.
func (r *Reader) endSide() error {
	if r.side == nil {
		return io.EOF
	}
	_, err := r.side.Next()
	if err == nil || goesOn(err) {
		return r.side.fail(bad(ErrTrailing, "it goes on after the %d rows of %s; both need the same rows in the same order", r.row-1, r.path), -1, nowhere)
	}
	return err
}

// ids reads an id from each line.
type ids struct{ lines *lines }

func newIDs(src *source) (*ids, error) {
	l, err := newLines(src)
	return &ids{l}, err
}

func (d *ids) count() (int64, bool) { return 0, false }

func (d *ids) next() (Row, place, error) {
	last := d.lines.number
	line, err := d.lines.next()
	where := place{offset: -1, line: d.lines.number}
	if err == nil && d.lines.number > last+1 {
		where.line = last + 1
		err = bad(ErrFormat, "the line is blank, but each row needs an id")
	}
	return Row{ID: string(line)}, where, err
}
