package index

import (
	"context"
	"database/sql"
)

// clearMetadata deletes the metadata of a snapshot's dead documents from the ledger's index, in
// small transactions to keep batches from waiting long. No reader can reach those rows.
func (c *Collection) clearMetadata(ctx context.Context, s *snapshot) error {
	const doing, atOnce = "clearing the ledger", 4096
	type dead struct {
		entry
		ordinal Ordinal
	}
	var some []dead
	remove := func() error {
		err := c.inTurn(ctx, func() error {
			return c.writer.change(doing, func(tx *sql.Tx) error {
				statement, err := tx.Prepare(`DELETE FROM entries WHERE field = ? AND value = ? AND ordinal = ? AND text = ?`)
				for i := 0; err == nil && i < len(some); i++ {
					_, err = statement.Exec(some[i].field, some[i].value, some[i].ordinal, some[i].text)
				}
				return err
			})
		})
		some = some[:0]
		return err
	}
	var d dead
	var failed error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := eachRow(ctx, c.ledger.db, []any{&d.field, &d.value, &d.ordinal, &d.text}, func() {
		if some = append(some, d); failed == nil && len(some) == atOnce {
			if failed = remove(); failed != nil {
				cancel()
			}
		}
	}, `SELECT field, value, ordinal, text FROM entries WHERE ordinal IN (SELECT ordinal FROM tombstones WHERE generation <= ?)`, s.generation)
	if failed != nil {
		return failed
	}
	if err != nil {
		return c.ledger.explain(doing, err)
	}
	return remove()
}

// shrink returns unused ledger pages to the file system, a few at a time.
func (c *Collection) shrink(ctx context.Context) error {
	const doing, pages = "shrinking the ledger", `PRAGMA incremental_vacuum(1024)`
	for before := int64(-1); ; {
		var unused int64
		err := c.inTurn(ctx, func() error {
			return c.writer.change(doing, func(tx *sql.Tx) error {
				if _, err := tx.Exec(pages); err != nil {
					return err
				}
				return tx.QueryRow(`PRAGMA freelist_count`).Scan(&unused)
			})
		})
		if err != nil || unused == 0 || unused == before {
			return err
		}
		before = unused
	}
}

// change runs a transaction that does not alter the collection's contents.
func (w *writer) change(doing string, f func(*sql.Tx) error) error {
	tx, err := w.ledger.db.Begin()
	if err == nil {
		defer tx.Rollback()
		err = f(tx)
	}
	if err != nil {
		return w.ledger.explain(doing, err)
	}
	return annotate(doing, w.commit(tx))
}
