package cache

import (
	"context"
	"database/sql"
	"fmt"
)

// evict removes the oldest entries once the file exceeds the limit, plus a margin so that
// it need not evict again soon.
func evict(ctx context.Context, tx *sql.Tx, limit int64) (used int64, err error) {
	used, size, err := pages(ctx, tx)
	if err != nil {
		return 0, err
	}
	for enough := limit - limit/16; size > limit && used > enough; {
		// A page holds at least one vector, so at least this many must go.
		result, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE id IN (SELECT id FROM entries ORDER BY id LIMIT ?)`, 1+(used-enough)/pageSize)
		if err != nil {
			return 0, err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return used, err
		}
		if used, _, err = pages(ctx, tx); err != nil {
			return 0, err
		}
	}
	if size > limit { // shrink the file too
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, 1+(size-limit)/pageSize)); err != nil {
			return 0, err
		}
	}
	return used, nil
}

// pages returns the number of bytes in use and the size of the file.
func pages(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (used, size int64, err error) {
	var all, free, each int64
	err = q.QueryRowContext(ctx, `SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).
		Scan(&all, &free, &each)
	return (all - free) * each, all * each, err
}
