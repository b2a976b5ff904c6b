package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sort"
)

// record is the entry of one document in the table of documents. Its position in the
// table is the document's slot.
type record struct {
	ordinal  Ordinal
	first    uint32 // the document's first row in the vector and code files
	idOffset uint64 // offset of its id in the file of ids
	rows     uint16 // one for the whole document, then one per passage
	idLength uint16
	sums     [fileKinds]uint32 // checksums of its part of each file; for the table, of the record itself

	firstPiece uint64 // its first word piece in the file of words
	pieces     uint32 // number of word pieces
}

// recordSize is the length of a record in the file. Its last four bytes are the checksum
// of the rest.
const recordSize = 56

// sumSize is the length of a checksum.
const sumSize = 4

// castagnoli is the polynomial that processors support in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// encode writes a record and its checksum.
func (r *record) encode(b []byte) {
	binary.LittleEndian.PutUint32(b[0:], uint32(r.ordinal))
	binary.LittleEndian.PutUint32(b[4:], r.first)
	binary.LittleEndian.PutUint64(b[8:], r.idOffset)
	binary.LittleEndian.PutUint16(b[16:], r.rows)
	binary.LittleEndian.PutUint16(b[18:], r.idLength)
	for k := fileIDs; k < fileKinds; k++ {
		binary.LittleEndian.PutUint32(b[16+4*k:], r.sums[k])
	}
	binary.LittleEndian.PutUint64(b[40:], r.firstPiece)
	binary.LittleEndian.PutUint32(b[48:], r.pieces)
	r.sums[fileDocs] = checksum(b[:recordSize-sumSize])
	binary.LittleEndian.PutUint32(b[recordSize-sumSize:], r.sums[fileDocs])
}

func decodeRecord(b []byte) record {
	r := record{
		ordinal:  Ordinal(binary.LittleEndian.Uint32(b[0:])),
		first:    binary.LittleEndian.Uint32(b[4:]),
		idOffset: binary.LittleEndian.Uint64(b[8:]),
		rows:     binary.LittleEndian.Uint16(b[16:]),
		idLength: binary.LittleEndian.Uint16(b[18:]),
		sums:     [fileKinds]uint32{fileDocs: binary.LittleEndian.Uint32(b[recordSize-sumSize:])},
	}
	for k := fileIDs; k < fileKinds; k++ {
		r.sums[k] = binary.LittleEndian.Uint32(b[16+4*k:])
	}
	r.firstPiece, r.pieces = pieceSpan(b)
	return r
}

// pieceSpan returns the first word piece of a document and their number.
func pieceSpan(b []byte) (first uint64, n uint32) {
	return binary.LittleEndian.Uint64(b[40:]), binary.LittleEndian.Uint32(b[48:])
}

// span is a document's part of a file, in bytes.
type span struct {
	offset int64
	length int
}

// spans returns a document's part of each file.
func (t table) spans(s shape, slot int) [fileKinds]span {
	r := t.at(slot)
	first, rows := int64(r.first), int(r.rows)
	return [fileKinds]span{
		fileDocs:    {int64(slot) * recordSize, recordSize},
		fileIDs:     {int64(r.idOffset), int(r.idLength)},
		fileVectors: {first * int64(s.dim) * 4, rows * s.dim * 4},
		fileCodes:   {first * int64(s.dim), rows * s.dim},
		fileScales:  {first * 4, rows * 4},
		fileWords:   {int64(r.firstPiece) * pieceSize, int(r.pieces) * pieceSize},
	}
}

// table holds the committed records and ids.
type table struct {
	records, ids []byte
	endRow       int   // number of rows in the vector and code files
	endID        int64 // length of the file of ids in bytes
	endPiece     int64 // number of pieces in the file of words
}

func (t table) size() int { return len(t.records) / recordSize }

func (t table) bytes(slot int) []byte { return t.records[slot*recordSize:][:recordSize] }

func (t table) at(slot int) record { return decodeRecord(t.bytes(slot)) }

func (t table) ordinal(slot int) Ordinal {
	return Ordinal(binary.LittleEndian.Uint32(t.records[slot*recordSize:]))
}

func (t table) first(slot int) int {
	return int(binary.LittleEndian.Uint32(t.records[slot*recordSize+4:]))
}

func (t table) rowsOf(slot int) int {
	return int(binary.LittleEndian.Uint16(t.records[slot*recordSize+16:]))
}

// end returns the row after the last row of slot.
func (t table) end(slot int) int { return t.first(slot) + t.rowsOf(slot) }

// id copies the id out of the mapped file, which may be unmapped later.
func (t table) id(slot int) string {
	r := t.at(slot)
	return string(t.ids[r.idOffset:][:r.idLength])
}

// find returns the slot of an ordinal. Slots are sorted by ordinal; unless documents were
// compacted away in between, the first guess is right.
func (t table) find(o Ordinal) (slot int, ok bool) {
	n := t.size()
	if n == 0 || o < t.ordinal(0) || o > t.ordinal(n-1) {
		return 0, false
	}
	lo := max(0, n-1-int(t.ordinal(n-1)-o))
	hi := min(n-1, int(o-t.ordinal(0)))
	for lo < hi {
		mid := (lo + hi) / 2
		if t.ordinal(mid) < o {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, t.ordinal(lo) == o
}

// following returns the first slot with a greater ordinal.
func (t table) following(o Ordinal) int {
	return sort.Search(t.size(), func(slot int) bool { return t.ordinal(slot) > o })
}

// broken describes what is wrong with a record on its own, or returns "".
func (t table) broken(slot int) string {
	b := t.bytes(slot)
	r := decodeRecord(b)
	switch {
	case checksum(b[:recordSize-sumSize]) != r.sums[fileDocs]:
		return "the checksum of the record does not match"
	case r.idOffset > uint64(t.endID) || uint64(r.idLength) > uint64(t.endID)-r.idOffset:
		return "the record's id is outside the file of ids"
	case r.rows == 0 || int64(r.first)+int64(r.rows) > int64(t.endRow):
		return fmt.Sprintf("the record has %d rows from %d on, of %d", r.rows, r.first, t.endRow)
	case r.firstPiece > uint64(t.endPiece) || uint64(r.pieces) > uint64(t.endPiece)-r.firstPiece:
		return fmt.Sprintf("the record has %d pieces of words from %d on, of %d", r.pieces, r.firstPiece, t.endPiece)
	}
	return ""
}

// misplaced describes why a record cannot follow the one before, or returns "".
func (t table) misplaced(slot int) string {
	r := t.at(slot)
	var before record
	if slot > 0 {
		before = t.at(slot - 1)
	}
	switch {
	case r.ordinal <= before.ordinal:
		return fmt.Sprintf("the record has ordinal %d after %d", r.ordinal, before.ordinal)
	case int64(r.first) != int64(before.first)+int64(before.rows):
		return fmt.Sprintf("the record begins at row %d, the one before ends at %d", r.first, int64(before.first)+int64(before.rows))
	case r.firstPiece != before.firstPiece+uint64(before.pieces):
		return fmt.Sprintf("the record's words start at piece %d, but the previous record's end at %d", r.firstPiece, before.firstPiece+uint64(before.pieces))
	}
	return ""
}

// check returns the first record at or after slot that has a problem. A table without
// problems can be used without bounds checks.
func (t table) check(slot int) (bad int, problem string) {
	for ; slot < t.size(); slot++ {
		if problem := t.broken(slot); problem != "" {
			return slot, problem
		}
		if problem := t.misplaced(slot); problem != "" {
			return slot, problem
		}
	}
	return slot, ""
}
