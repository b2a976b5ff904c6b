package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
)

// state is the committed state in the ledger.
type state struct {
	format     int   // a reader may see it change when a newer version migrates
	generation int64 // counts commits
	epoch      int   // counts compactions; part of the flat file names
	slots      int   // documents in the table, including dead ones
	rows       int
	idBytes    int64
	wordPieces int64
	last       Ordinal // the last ordinal assigned
	totals
}

// totals detect missing, changed or extra rows in the ledger: each is the sum of the
// rows' itemSum.
type totals struct {
	tombstones uint64 // over generation and ordinal
	documents  uint64 // over ordinal and checksum
}

// itemSum returns what a row of two numbers contributes to a total.
func itemSum(a, b uint64) uint64 {
	var item [16]byte
	binary.LittleEndian.PutUint64(item[:], a)
	binary.LittleEndian.PutUint64(item[8:], b)
	sum := sha256.Sum256(item[:])
	return binary.LittleEndian.Uint64(sum[:])
}

// checksum returns the checksum of the whole state.
func (st state) checksum() uint32 {
	var b []byte
	for _, x := range []uint64{
		uint64(st.format), uint64(st.generation), uint64(st.epoch), uint64(st.slots), uint64(st.rows),
		uint64(st.idBytes), uint64(st.last), uint64(st.wordPieces), st.tombstones, st.documents,
	} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return checksum(b)
}

// write stores the state, replacing any previous one.
func (st state) write(tx *sql.Tx) error {
	_, err := tx.Exec(`INSERT OR REPLACE INTO state
		(one, generation, epoch, slots, rows, id_bytes, last_ordinal, word_pieces, tombstone_sum, document_sum, checksum)
		VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		st.generation, st.epoch, st.slots, st.rows, st.idBytes, st.last, st.wordPieces,
		int64(st.tombstones), int64(st.documents), st.checksum())
	return err
}

// selectState reads the state and the format in one statement, since a newer version
// could migrate the collection between two.
const selectState = `SELECT coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'format'), 0),
	generation, epoch, slots, rows, id_bytes, last_ordinal, word_pieces, tombstone_sum, document_sum, checksum FROM state`

func (l *ledger) readState(ctx context.Context, q queryer) (state, error) {
	var st state
	var last, tombstones, documents, sum int64
	err := q.QueryRowContext(ctx, selectState).
		Scan(&st.format, &st.generation, &st.epoch, &st.slots, &st.rows, &st.idBytes, &last, &st.wordPieces, &tombstones, &documents, &sum)
	if err != nil {
		return st, l.explain("reading the state", err)
	}
	if err := l.checkFormat(st.format); err != nil {
		return st, err
	}
	st.last = Ordinal(last)
	st.totals = totals{uint64(tombstones), uint64(documents)}
	switch {
	case st.format < FormatVersion || !st.possible(last):
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("impossible state %+v", st)}}
	case sum != int64(st.checksum()):
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: "the checksum of the state does not match"}}
	}
	return st, err
}

// readTotals computes the totals of the rows in the ledger.
func readTotals(ctx context.Context, q queryer) (t totals, err error) {
	var x, y int64
	err = eachRow(ctx, q, []any{&x, &y}, func() { t.documents += itemSum(uint64(x), uint64(y)) }, `SELECT ordinal, checksum FROM documents`)
	if err != nil {
		return t, err
	}
	err = eachRow(ctx, q, []any{&x, &y}, func() { t.tombstones += itemSum(uint64(x), uint64(y)) }, `SELECT generation, ordinal FROM tombstones`)
	return t, err
}

// possible reports whether the numbers of a state are consistent.
func (st state) possible(last int64) bool {
	return st.wordPieces >= 0 && st.wordPieces <= math.MaxInt64/pieceSize && st.epoch >= 1 && st.slots >= 0 && st.rows >= st.slots && int64(st.rows) <= maxRows &&
		st.idBytes >= int64(st.slots) && int64(st.slots) <= last && last <= math.MaxUint32
}
