package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// propose is engine.ErrNotCollection, which says of a database without the collection which
// of its tables have vectors, and how to search each of them.
func propose(ctx context.Context, conn *pgx.Conn, server string) error {
	var lines []string
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT DISTINCT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE quote_ident(n.nspname) || '.' END || quote_ident(c.relname)
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
			WHERE t.typname IN ('vector', 'halfvec', 'sparsevec') AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
				AND has_column_privilege(a.attrelid, a.attnum, 'SELECT') AND NOT EXISTS (SELECT FROM pg_class s WHERE s.relnamespace = n.oid AND s.relname = 'settings')
			ORDER BY 1 LIMIT 20`)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, name := range names {
			r, err := describe(ctx, tx, name)
			if err != nil {
				return err
			}
			at := server + "?table=" + remote.Escape(name)
			roles, err := remote.Roles{}.Fill(at, r.described())
			if err != nil { // it asks what opening the table will ask
				lines = append(lines, "    "+at)
				continue
			}
			lines = append(lines, fmt.Sprintf("    %s&%s", at, roles))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return engine.ErrNotCollection
	}
	return fmt.Errorf("%w; but these tables have vectors, and can be searched as they are:\n%s", engine.ErrNotCollection, strings.Join(lines, "\n"))
}
