package index

import "database/sql"

// statements are the prepared statements of a batch.
type statements struct {
	tx                                                           *sql.Tx
	insertDocument, deleteDocument, insertEntry, insertTombstone *sql.Stmt
}

// prepare prepares the statements; they are closed with the transaction.
func prepare(tx *sql.Tx) (*statements, error) {
	s := &statements{tx: tx}
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&s.insertDocument, `INSERT INTO documents (ordinal, id, title, text, passages, metadata, checksum)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`},
		{&s.deleteDocument, `DELETE FROM documents WHERE id = ? RETURNING ordinal, checksum`},
		{&s.insertEntry, `INSERT INTO entries (field, value, ordinal, text) VALUES (?, ?, ?, ?)`},
		{&s.insertTombstone, `INSERT INTO tombstones (generation, ordinal) VALUES (?, ?)`},
	} {
		var err error
		if *p.to, err = tx.Prepare(p.text); err != nil {
			return nil, err
		}
	}
	return s, nil
}
