package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// wordColumns are those of the table of words, in the order of wordsRow.
var wordColumns = []string{"ref", "pieces", "has"}

func wordsRow(ref int64, pieces []uint16) []any {
	return []any{ref, remote.PackPieces(pieces), distinct(pieces)}
}

// distinct are numbers as the index has them, each of them once: the server's have a sign.
func distinct(pieces []uint16) []int16 {
	out := make([]int16, len(pieces))
	for i, p := range pieces {
		out[i] = int16(p)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// wordless reports whether there are documents from before words were kept, and their
// words to be made.
func (s *Store) wordless(ctx context.Context, conn *pgx.Conn) (wordless bool, err error) {
	err = conn.QueryRow(ctx, s.statement(`SELECT NOT words FROM {c}.settings`)).Scan(&wordless)
	return wordless, err
}

// backfill makes the words of documents that have none, from their texts. Each batch is a
// transaction that others wait for, so that what is cut off goes on where it was, and who
// writes meanwhile waits for a moment only.
func (s *Store) backfill(ctx context.Context, c *pgx.ConnConfig) error {
	for last, done := int64(0), false; !done; {
		err := s.alone(ctx, c, "making the words of the documents", s.calls.Options.WriteTimeout, func(ctx context.Context, conn *pgx.Conn) error {
			return s.locked(ctx, conn, func(tx pgx.Tx) error {
				refs, docs, err := s.withoutWords(ctx, tx, last)
				if err != nil {
					return err
				}
				if done = len(refs) == 0; done {
					_, err := tx.Exec(ctx, s.statement(`UPDATE {c}.settings SET words = true`))
					return err
				}
				if err := s.storeWords(ctx, tx, refs, docs); err != nil {
					return err
				}
				last = refs[len(refs)-1]
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutWords reads the texts of documents without words, from a ref on.
func (s *Store) withoutWords(ctx context.Context, tx pgx.Tx, after int64) (refs []int64, docs []engine.Document, err error) {
	const some = 500
	rows, err := tx.Query(ctx, s.statement(`SELECT ref, title, text, coalesce((SELECT array_agg(p.text ORDER BY p.at) FROM {c}.passages p WHERE p.ref = d.ref), '{}')
		FROM {c}.documents d WHERE ref > $1 AND NOT EXISTS (SELECT FROM {c}.words w WHERE w.ref = d.ref) ORDER BY ref LIMIT $2`), after, some)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var ref int64
		var d engine.Document
		var passages []string
		if err := rows.Scan(&ref, &d.Title, &d.Text, &passages); err != nil {
			return nil, nil, err
		}
		d.Passages = engine.NewPassages(passages)
		refs, docs = append(refs, ref), append(docs, d)
	}
	return refs, docs, rows.Err()
}

// storeWords stores the words of documents.
func (s *Store) storeWords(ctx context.Context, tx pgx.Tx, refs []int64, docs []engine.Document) error {
	pieces, err := remote.Spell(ctx, docs)
	if err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{s.collection, "words"}, wordColumns, pgx.CopyFromSlice(len(refs), func(i int) ([]any, error) {
		return wordsRow(refs[i], pieces[i]), nil
	}))
	return err
}
