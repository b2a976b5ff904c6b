package vectors

import (
	"errors"
	"io"
)

func (r *Reader) openSide(o ReadOptions) error {
	side, err := Open(o.Side, ReadOptions{Format: JSONL, Fields: o.Fields})
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
