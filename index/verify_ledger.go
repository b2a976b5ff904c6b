package index

import (
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// checkLedger checks the ledger for consistency, internally and with the table of
// documents.
func (r *verifier) checkLedger(ctx context.Context, l *ledger, tx *sql.Tx) error {
	for _, check := range []func(context.Context, *sql.Tx) error{r.checkStructure, r.checkTombstones, r.checkDocuments, r.checkTotals, r.checkNotes} {
		if err := check(ctx, tx); err != nil {
			return l.explain("checking the ledger", err)
		}
	}
	return nil
}

func (r *verifier) addLedger(problem string, documents ...string) {
	r.report.Damage = append(r.report.Damage, Damage{File: ledgerName, Problem: problem, Documents: documents})
}

// checkStructure runs SQLite's own check of pages, tables and indexes.
func (r *verifier) checkStructure(ctx context.Context, tx *sql.Tx) error {
	var line string
	return eachRow(ctx, tx, []any{&line}, func() {
		if line != "ok" {
			r.addLedger(line)
		}
	}, `PRAGMA integrity_check(100)`)
}

// inGap reports whether an ordinal may belong to an untrusted record.
func (r *verifier) inGap(o Ordinal) bool {
	return slices.ContainsFunc(r.gaps, func(g gap) bool { return g.after < o && o < g.before })
}

// checkTombstones sets r.dead to the deleted slots.
func (r *verifier) checkTombstones(ctx context.Context, tx *sql.Tx) error {
	r.dead = newBitmap(r.size())
	var o Ordinal
	return eachRow(ctx, tx, []any{&o}, func() {
		if slot, ok := r.slot[o]; ok {
			r.dead.set(slot)
		} else if !r.inGap(o) {
			r.addLedger(fmt.Sprintf("a tombstone refers to document %d, which is not in the table", o))
		}
	}, `SELECT ordinal FROM tombstones`)
}

func (r *verifier) checkDocuments(ctx context.Context, tx *sql.Tx) error {
	sums, err := r.sumEntries(ctx, tx)
	if err != nil {
		return err
	}
	seen := newBitmap(r.size())
	var d stored
	err = eachRow(ctx, tx, []any{&d.ordinal, &d.id, &d.title, &d.text, &d.passages, &d.metadata, &d.checksum}, func() {
		r.report.Documents++
		if slot, ok := r.slot[d.ordinal]; ok {
			seen.set(slot)
			if problem := r.storedProblem(&d, slot, sums[slot]); problem != "" {
				r.addLedger(problem, d.id)
			}
		} else if !r.inGap(d.ordinal) {
			r.addLedger("the document is not in the table", d.id)
		}
	}, `SELECT ordinal, id, title, text, passages, metadata, checksum FROM documents ORDER BY ordinal`)
	if err != nil {
		return err
	}
	for slot, sound := range r.sound {
		if sound && !seen.has(slot) && !r.dead.has(slot) {
			r.addLedger("a document is in the table but not in the ledger", r.idInFile(slot))
		}
	}
	return nil
}

// checkTotals detects missing, changed or extra rows that no other check finds.
func (r *verifier) checkTotals(ctx context.Context, tx *sql.Tx) error {
	t, err := readTotals(ctx, tx)
	if err == nil && t.documents != r.documents {
		r.addLedger("the checksum of the documents does not match")
	}
	if err == nil && t.tombstones != r.tombstones {
		r.addLedger("the checksum of the tombstones does not match")
	}
	return err
}

func (r *verifier) checkNotes(ctx context.Context, tx *sql.Tx) error {
	damaged, err := r.readNotes(ctx, tx, "", func(string, string) {})
	for _, name := range damaged {
		r.report.Damage = append(r.report.Damage, damagedNote(name))
	}
	return err
}

// idInFile returns a document's id from the file of ids, if it can be read.
func (r *verifier) idInFile(slot int) string {
	if r.files[fileIDs] == nil {
		return ""
	}
	id, _ := r.read(fileIDs, r.spans(r.shape, slot)[fileIDs])
	return string(id)
}

// stored is a row of the documents table.
type stored struct {
	ordinal            Ordinal
	id, title, text    string
	passages, metadata sql.NullString
	checksum           uint32
}

func (r *verifier) storedProblem(d *stored, slot int, sum uint64) string {
	switch {
	case bodyChecksum(d.id, d.title, d.text, d.passages, d.metadata) != d.checksum:
		return "the checksum of the document does not match"
	case r.dead.has(slot):
		return "the document has a tombstone"
	case checksum([]byte(d.id)) != r.at(slot).sums[fileIDs]:
		return "the document has a different id in the table"
	}
	passages, err := readPassages(d.passages)
	if rows := (&engine.Document{Passages: passages}).Rows(); err != nil || rows != r.rowsOf(slot) {
		return fmt.Sprintf("the document has %d vectors in the table but should have %d", r.rowsOf(slot), rows)
	}
	entries, err := entriesOf([]byte(d.metadata.String))
	if err != nil {
		return err.Error()
	}
	for _, e := range entries {
		sum -= entryHash(e)
	}
	if sum != 0 {
		return "the metadata index does not match the document's metadata"
	}
	return ""
}

// sumEntries adds up, for each slot, the hashes of its entries in the metadata index.
func (r *verifier) sumEntries(ctx context.Context, tx *sql.Tx) ([]uint64, error) {
	sums := make([]uint64, r.size())
	var e entry
	var o Ordinal
	err := eachRow(ctx, tx, []any{&e.field, &e.value, &o, &e.text}, func() {
		if slot, ok := r.slot[o]; ok {
			sums[slot] += entryHash(e)
		} else if !r.inGap(o) {
			r.addLedger(fmt.Sprintf("the metadata index refers to document %d, which is not in the table", o))
		}
	}, `SELECT field, value, ordinal, text FROM entries`)
	return sums, err
}

var entrySeed = maphash.MakeSeed()

// entryHash distinguishes entries within one run. Values are never written as bytes, but
// damage can turn them into bytes, and the hash ignores types.
func entryHash(e entry) uint64 {
	if b, ok := e.value.([]byte); ok {
		e.value = [2]string{"bytes", string(b)}
	}
	return maphash.Comparable(entrySeed, e)
}
