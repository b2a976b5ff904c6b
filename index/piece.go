package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// piece is a part of a batch, encoded for the files and the ledger.
type piece struct {
	docs    []engine.Document
	bodies  []body
	files   [fileKinds][]byte
	offsets [fileKinds]int64
	after   state
}

// body holds the derived values that the ledger stores for a document.
type body struct {
	ordinal            Ordinal
	passages, metadata sql.NullString
	entries            []entry
	checksum           uint32
}

// newPiece normalizes and encodes vectors, splits texts into word pieces and parses
// metadata, on all cores. The documents start at index first of the batch and are
// appended after the state before.
func newPiece(ctx context.Context, docs []engine.Document, first int, s shape, before state) (*piece, error) {
	p := &piece{docs: docs, bodies: make([]body, len(docs)), offsets: s.lengths(before), after: before}
	records := make([]record, len(docs))
	for i := range docs {
		p.after.last++
		p.bodies[i].ordinal = p.after.last
		records[i] = record{
			ordinal: p.after.last, first: uint32(p.after.rows), rows: uint16(docs[i].Rows()),
			idOffset: uint64(p.after.idBytes), idLength: uint16(len(docs[i].ID)),
		}
		p.after.slots++
		p.after.rows += docs[i].Rows()
		p.after.idBytes += int64(len(docs[i].ID))
		p.files[fileIDs] = append(p.files[fileIDs], docs[i].ID...)
	}
	rows := p.after.rows - before.rows
	vectors, codes, scales := make([]float32, rows*s.dim), make([]int8, rows*s.dim), make([]float32, rows)
	pieces := make([][]uint16, len(docs))
	p.files[fileCodes], p.files[fileVectors], p.files[fileScales] = cast[byte](codes), cast[byte](vectors), cast[byte](scales)
	err := workers.Each(ctx, len(docs), cores(), func(_ context.Context, i int) error {
		d, r := &docs[i], &records[i]
		lo := int(r.first) - before.rows
		hi := lo + int(r.rows)
		for row := lo; row < hi; row++ {
			v := vectors[row*s.dim : (row+1)*s.dim]
			copy(v, d.Row(row-lo))
			if err := storekit.Unit(v); err != nil {
				return d.Invalid(first+i, storekit.RowName(row-lo)+" "+storekit.VectorProblem(err))
			}
			scales[row] = vec.Quantize8(codes[row*s.dim:(row+1)*s.dim], v)
		}
		pieces[i] = words.Pieces(d.Segments())
		r.sums = [fileKinds]uint32{
			fileIDs:     checksum([]byte(d.ID)),
			fileVectors: checksum(cast[byte](vectors[lo*s.dim : hi*s.dim])),
			fileCodes:   checksum(cast[byte](codes[lo*s.dim : hi*s.dim])),
			fileScales:  checksum(cast[byte](scales[lo:hi])),
			fileWords:   checksum(cast[byte](pieces[i])),
		}
		if err := p.bodies[i].fill(d); err != nil {
			return d.Invalid(first+i, err.Error())
		}
		return nil
	})
	if err == nil {
		p.place(records, pieces)
	}
	return p, err
}

// place writes the records and the word pieces. Where a document's pieces start is known
// only once the preceding texts have been split.
func (p *piece) place(records []record, pieces [][]uint16) {
	table := make([]byte, len(records)*recordSize)
	for i := range records {
		r := &records[i]
		r.firstPiece, r.pieces = uint64(p.after.wordPieces), uint32(len(pieces[i]))
		r.encode(table[i*recordSize:])
		p.after.wordPieces += int64(len(pieces[i]))
	}
	p.files[fileDocs], p.files[fileWords] = table, cast[byte](slices.Concat(pieces...))
}

// fill parses the metadata and encodes the passages for the ledger.
func (b *body) fill(d *engine.Document) (err error) {
	if b.entries, err = entriesOf(d.Metadata); err != nil {
		return err
	}
	b.metadata = sql.NullString{String: string(d.Metadata), Valid: len(d.Metadata) > 0}
	if len(d.Passages) > 0 {
		passages, err := json.Marshal(d.Passages)
		if err != nil {
			return err
		}
		b.passages = sql.NullString{String: string(passages), Valid: true}
	}
	b.checksum = bodyChecksum(d.ID, d.Title, d.Text, b.passages, b.metadata)
	return nil
}

// bodyChecksum returns the checksum of a document in the ledger: SQLite checks its
// structure, not its contents.
func bodyChecksum(id, title, text string, passages, metadata sql.NullString) uint32 {
	var sum uint32
	for _, s := range []string{id, title, text, passages.String, metadata.String} {
		sum = crcString(sum, s)
	}
	return sum
}

// crcString extends a checksum with a string and its length.
func crcString(sum uint32, s string) uint32 {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
	sum = crc32.Update(sum, castagnoli, length[:])
	return crc32.Update(sum, castagnoli, []byte(s))
}
