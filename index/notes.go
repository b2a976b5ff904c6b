package index

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
)

// SetNotes keeps texts by name beside the documents: what a caller wants to know
// of the collection when it opens it again. An empty text removes a note. All of
// them are on the disk when it returns, or none.
func (c *Collection) SetNotes(ctx context.Context, notes map[string]string) error {
	return c.writing(ctx, "keeping notes", func() error {
		if err := engine.CheckNotes(notes); err != nil {
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
			_, err = tx.Exec(`INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
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
	c.later()
	return nil
}

// Notes are those whose names begin with a prefix, by name.
func (c *Collection) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	notes := map[string]string{}
	err := c.reading(ctx, "reading notes", func(v *view) error {
		var name, value string
		return eachRow(ctx, v.tx, []any{&name, &value}, func() { notes[name] = value },
			`SELECT name, value FROM notes WHERE substr(name, 1, length(?1)) = ?1`, prefix)
	})
	return notes, err
}
