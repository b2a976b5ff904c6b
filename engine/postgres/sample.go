package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
)

// Sample is the rows whose hashes are least; in a table of many, of those in some blocks.
// The same state gives the same sample.
func (t *Table) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = t.read(ctx, "sampling rows", func(ctx context.Context) error {
		size, err := t.calls.Size.Get(ctx, t.count)
		if err != nil {
			return err
		}
		if size.Documents >= many && strings.Contains("rpm", t.rel.kind) {
			part := min(100, 100*3*float64(n)/float64(size.Documents))
			refs, err = t.least(ctx, n, fmt.Sprintf("TABLESAMPLE SYSTEM (%g) REPEATABLE (1)", part))
			if err != nil || len(refs) >= n {
				return err
			}
		}
		refs, err = t.least(ctx, n, "")
		return err
	})
	return refs, err
}

func (t *Table) least(ctx context.Context, n int, sampled string) ([]engine.Ref, error) {
	args := slices.Clone(t.given)
	text := fmt.Sprintf("SELECT id FROM (SELECT DISTINCT t.%s::text AS id FROM %s t %s WHERE %s) s WHERE id <> '' ORDER BY md5(id) LIMIT %s",
		quoted(t.roles.ID), t.rel.name, sampled, t.there, args.add(n))
	return t.refs(ctx, text, args)
}

// refs are those of the ids that a statement gives.
func (t *Table) refs(ctx context.Context, text string, args arguments) ([]engine.Ref, error) {
	rows, err := t.query(ctx, text, args, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r engine.Ref, err error) {
		return r, row.Scan(&r.Key)
	})
}
