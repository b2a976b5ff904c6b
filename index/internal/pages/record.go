package pages

import (
	"encoding/binary"
	"math"
)

// longest exceeds the length of any valid row.
const longest = 1 << 28

// varint decodes a number of one to nine bytes and returns its length, or 0 if b is too
// short.
func varint(b []byte) (v uint64, n int) {
	for i, c := range b[:min(len(b), 9)] {
		if i == 8 {
			return v<<8 | uint64(c), 9
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// read decodes the row at an offset of a page, including its overflow pages.
func (d *Database) read(b []byte, at int, numbered bool) (r Row, ok bool) {
	length, n := varint(b[at:])
	at += n
	if n == 0 || length > min(longest, (uint64(d.count)+uint64(len(d.frames)))*uint64(d.size)) {
		return r, false
	}
	if numbered {
		id, n := varint(b[at:])
		if n == 0 {
			return r, false
		}
		r.ID = int64(id)
		at += n
	}
	payload, ok := d.payload(b, at, int(length), numbered)
	if !ok {
		return r, false
	}
	r.Values, ok = record(payload)
	return r, ok
}

// payload returns the bytes of a row. A long row continues on overflow pages: each part
// names the next page.
func (d *Database) payload(b []byte, at, length int, numbered bool) ([]byte, bool) {
	most := (d.size-12)*64/255 - 23
	if numbered {
		most = d.size - 35
	}
	here := length
	if length > most {
		least := (d.size-12)*32/255 - 23
		if here = least + (length-least)%(d.size-4); here > most {
			here = least
		}
	}
	end := at + here
	if length > here {
		end += 4
	}
	if end > len(b) {
		return nil, false
	}
	out := b[at : at+here : at+here]
	for next := uint32(0); len(out) < length; {
		if next == 0 {
			next = binary.BigEndian.Uint32(b[at+here:])
		}
		page, ok := d.page(next)
		if !ok {
			return nil, false
		}
		out = append(out, page[4:min(len(page), 4+length-len(out))]...)
		if next = binary.BigEndian.Uint32(page); next == 0 && len(out) < length {
			return nil, false
		}
	}
	return out, true
}

// record decodes the values of a row: all types come first, then all values.
func record(b []byte) ([]any, bool) {
	head, n := varint(b)
	if n == 0 || head > uint64(len(b)) || head < uint64(n) {
		return nil, false
	}
	types, body := b[n:head], b[head:]
	var values []any
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 {
			return nil, false
		}
		types = types[n:]
		size := sizeOfType(kind)
		if size > len(body) || size < 0 {
			return nil, false
		}
		values = append(values, value(kind, body[:size]))
		body = body[size:]
	}
	return values, len(body) == 0
}

func sizeOfType(kind uint64) int {
	switch {
	case kind < 10:
		return [10]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[kind]
	case kind < 12 || kind > longest:
		return -1
	}
	return int(kind-12) / 2
}

func value(kind uint64, b []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case kind >= 12 && kind%2 == 0:
		return append([]byte(nil), b...)
	case kind >= 12:
		return string(b)
	case kind >= 8:
		return int64(kind - 8)
	}
	v := int64(int8(b[0]))
	for _, c := range b[1:] {
		v = v<<8 | int64(c)
	}
	return v
}
