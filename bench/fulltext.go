//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	_ "modernc.org/sqlite" // registers the driver
)

// fullText is SQLite's full-text index, FTS5, without the texts and without places. It
// ranks by BM25 and has exact words only.
type fullText struct {
	texts  *spoken
	pieces *prose
	file   string
	db     *sql.DB
}

func (t *fullText) name() string { return "SQLite FTS5, exact words" }

func (t *fullText) build(ctx context.Context) (bytes int64, err error) {
	if t.db, err = sql.Open("sqlite", t.file+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-200000)"); err != nil {
		return 0, err
	}
	t.db.SetMaxOpenConns(1)
	if _, err := t.db.ExecContext(ctx, `CREATE VIRTUAL TABLE said USING fts5(text, content='', detail=none)`); err != nil {
		return 0, err
	}
	if err := t.fill(ctx); err != nil {
		return 0, err
	}
	if _, err := t.db.ExecContext(ctx, `INSERT INTO said(said) VALUES ('optimize')`); err != nil {
		return 0, err
	}
	info, err := os.Stat(t.file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// fill stores all documents in one transaction.
func (t *fullText) fill(ctx context.Context) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare(`INSERT INTO said(rowid, text) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	var b strings.Builder
	for doc := range t.texts.ends {
		b.Reset()
		for _, p := range t.texts.of(doc) {
			b.WriteString(t.pieces.pieces[p-firstWord])
			b.WriteByte(' ')
		}
		if _, err := insert.Exec(doc, b.String()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (t *fullText) find(ctx context.Context, q *pair) ([]float32, error) {
	rows, err := t.db.QueryContext(ctx, `SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?`,
		fmt.Sprintf("%q OR %q", q.texts[0], q.texts[1]), bestByWords)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var doc int
		if err := rows.Scan(&doc); err != nil {
			return nil, err
		}
	}
	return nil, rows.Err()
}
