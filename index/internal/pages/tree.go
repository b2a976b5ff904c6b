package pages

import "encoding/binary"

// Row is a row of a table. Tables without row numbers are stored as index trees.
type Row struct {
	ID     int64 // row number; 0 if the table has none
	Values []any // nil, int64, float64, string or []byte
}

// Kinds of tree pages.
const (
	innerIndex = 0x02
	innerTable = 0x05
	leafIndex  = 0x0a
	leafTable  = 0x0d
)

// Rows calls f for each readable row of the tree at root, and returns the number of
// unreadable pages, which may contain missing rows.
func (d *Database) Rows(root uint32, f func(Row)) (unread int) {
	w := &walk{Database: d, seen: map[uint32]bool{}, row: f}
	w.tree(root)
	return w.unread
}

type walk struct {
	*Database
	seen   map[uint32]bool
	row    func(Row)
	unread int
}

func (w *walk) tree(n uint32) {
	b, ok := w.page(n)
	if !ok || w.seen[n] {
		w.unread++
		return
	}
	w.seen[n] = true
	head := b
	if n == 1 {
		head = b[100:] // skip the file header
	}
	kind, cells := head[0], int(binary.BigEndian.Uint16(head[3:]))
	start := 8
	switch kind {
	case innerIndex, innerTable:
		start = 12
	case leafIndex, leafTable:
	default:
		w.unread++
		return
	}
	if start+2*cells > len(head) {
		w.unread++
		return
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(head[start+2*i:]))
		if !w.cell(kind, b, at) {
			w.unread++
		}
	}
	if start == 12 {
		w.tree(binary.BigEndian.Uint32(head[8:]))
	}
}

// cell reads the cell at an offset of a page.
func (w *walk) cell(kind byte, b []byte, at int) bool {
	if at+4 > len(b) {
		return false
	}
	if kind == innerIndex || kind == innerTable {
		w.tree(binary.BigEndian.Uint32(b[at:]))
		at += 4
	}
	if kind == innerTable {
		return true
	}
	r, ok := w.read(b, at, kind == leafTable)
	if ok {
		w.row(r)
	}
	return ok
}

// Search scans every byte of every page, including all versions in the log, newest last,
// for rows that the tree does not lead to. wanted selects rows by number.
func (d *Database) Search(wanted func(id int64) bool, f func(Row)) {
	b := make([]byte, d.size)
	for n := uint32(1); n <= d.count; n++ {
		if readAt(d.file, b, d.offset(n)) {
			d.searchPage(b, wanted, f)
		}
	}
	for _, at := range d.frames {
		if readAt(d.log, b, at) {
			d.searchPage(b, wanted, f)
		}
	}
}

func (d *Database) searchPage(b []byte, wanted func(id int64) bool, f func(Row)) {
	for at := range b {
		_, size := varint(b[at:])
		if size == 0 {
			return
		}
		if id, n := varint(b[at+size:]); n == 0 || !wanted(int64(id)) {
			continue
		}
		if r, ok := d.read(b, at, true); ok {
			f(r)
		}
	}
}
