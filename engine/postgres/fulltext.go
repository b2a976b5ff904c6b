package postgres

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

type fullText struct {
	vector string // the expression of a row's tsvector, of the row t
	config string // by which words become those that it has
}

// configured is the configuration that an expression makes words with.
var configured = regexp.MustCompile(`to_tsvector\('("?[a-zA-Z0-9_.]+"?)'::regconfig`)

// few is up to how many rows all texts are read where no index has their words.
const few = 5000

// findFullText finds the full-text index of a table: one over a column of words, or over an
// expression of other columns. A small table needs none.
func (t *Table) findFullText(ctx context.Context, tx pgx.Tx) (*fullText, error) {
	var indexed, made, usual string
	var column bool
	err := tx.QueryRow(ctx, `SELECT pg_get_indexdef(i.indexrelid, 1, true), i.indkey[0] > 0, coalesce(pg_get_expr(d.adbin, d.adrelid), ''), current_setting('default_text_search_config')
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam JOIN pg_opclass o ON o.oid = i.indclass[0]
			LEFT JOIN pg_attrdef d ON d.adrelid = i.indrelid AND d.adnum = i.indkey[0]
		WHERE i.indrelid = $1 AND i.indisvalid AND i.indpred IS NULL AND m.amname IN ('gin', 'gist') AND o.opcname IN ('tsvector_ops') AND
			(i.indkey[0] = 0 OR has_column_privilege(i.indrelid, i.indkey[0], 'SELECT'))
		ORDER BY m.amname, i.indexrelid LIMIT 1`, t.rel.oid).Scan(&indexed, &column, &made, &usual)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return t.simple(ctx, tx)
	case err != nil:
		return nil, err
	}
	f := &fullText{config: usual}
	if column {
		f.vector = "t." + indexed
		indexed = made
	} else {
		f.vector = indexed
	}
	if found := configured.FindStringSubmatch(indexed); found != nil {
		f.config = found[1]
	}
	return f, nil
}

// simple makes the words of a small table's texts when they are wanted.
func (t *Table) simple(ctx context.Context, tx pgx.Tx) (*fullText, error) {
	if t.fields.texts == "" {
		return nil, nil
	}
	var n int
	err := tx.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM (SELECT FROM %s t WHERE %s LIMIT %d) s", t.rel.name, t.there, few+1), t.given...).Scan(&n)
	if err != nil || n > few {
		return nil, err
	}
	return &fullText{vector: fmt.Sprintf("to_tsvector('simple', %s)", t.fields.texts), config: "simple"}, nil
}

// Matching returns rows that have some of the words in their texts. Each word is a list of
// its own, and the rarer it is the more it counts.
func (t tableDriver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	f := t.words
	if f == nil {
		return nil, ctx.Err()
	}
	filter, _ := where.Native.(query.Node)
	args := slices.Clone(t.given)
	passing := t.there + " AND " + t.fields.where(filter, &args)
	most, config := args.add(limit), args.add(f.config)+"::text::regconfig"
	var lists []string
	for _, n := range needles {
		var any []string
		for _, form := range n.Written {
			if storable(form) {
				any = append(any, fmt.Sprintf("phraseto_tsquery(%s, %s)", config, args.add(form)))
			}
		}
		if len(any) > 0 {
			lists = append(lists, fmt.Sprintf("SELECT id, 1.0 / count(*) OVER () AS weight FROM (SELECT t.%s::text AS id FROM %s t WHERE %s AND %s @@ (%s) LIMIT %s) l",
				quoted(t.roles.ID), t.rel.name, passing, f.vector, strings.Join(any, " || "), most))
		}
	}
	if len(lists) == 0 {
		return nil, nil
	}
	return t.refs(ctx, fmt.Sprintf("SELECT id FROM (%s) a WHERE id <> '' GROUP BY id ORDER BY sum(weight) DESC, id LIMIT %s", strings.Join(lists, " UNION ALL "), most), args)
}
