package vectors

// ids reads a list of them, one on each line.
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
