package index

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/internal/storekit"
)

// SetNotes stores named texts alongside the documents, for the caller to read back when
// it reopens the collection. An empty text removes a note. Either all notes are on disk
// when it returns, or none.
func (c *Collection) SetNotes(ctx context.Context, notes map[string]string) error {
	return c.writing(ctx, "keeping notes", func() error {
		if err := storekit.CheckNotes(notes); err != nil {
			return err
		}
		return c.setNotes(ctx, notes)
	})
}

func (c *Collection) setNotes(ctx context.Context, notes map[string]string) error {
	l := c.writer.ledger
	tx, err := l.db.Begin()
	if err != nil {
		return l.explain("beginning a transaction", err)
	}
	defer tx.Rollback()
	for name, value := range notes {
		if value == "" {
			_, err = tx.Exec(`DELETE FROM notes WHERE name = ?`, name)
		} else {
			_, err = tx.Exec(`INSERT OR REPLACE INTO notes (name, value, checksum) VALUES (?, ?, ?)`, name, value, textSum(name, value))
		}
		if err != nil {
			return l.explain("writing", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.writer.commit(tx); err != nil {
		return err
	}
	c.checkpointLater()
	return nil
}

// Notes returns the notes whose names start with prefix, by name.
func (c *Collection) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	notes := map[string]string{}
	err := c.withView(ctx, "reading notes", func(v *view) error {
		damaged, err := v.readNotes(ctx, v.tx, prefix, func(name, value string) { notes[name] = value })
		if err == nil && len(damaged) > 0 {
			err = &DamageError{c.dir, damagedNote(damaged[0])}
		}
		return err
	})
	return notes, err
}

// readNotes calls f for each note whose name starts with prefix, and returns the names of
// notes whose checksums do not match.
func (st state) readNotes(ctx context.Context, q queryer, prefix string, f func(name, value string)) (damaged []string, err error) {
	var name, value string
	var sum int64
	err = eachRow(ctx, q, []any{&name, &value, &sum}, func() {
		if sum != int64(textSum(name, value)) {
			damaged = append(damaged, name)
		}
		f(name, value)
	}, `SELECT name, value, checksum FROM notes WHERE substr(name, 1, length(?1)) = ?1`, prefix)
	return damaged, err
}

func damagedNote(name string) Damage {
	return Damage{File: ledgerName, Problem: fmt.Sprintf("the checksum of note %q does not match", name)}
}
