//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
)

// attached returns a bed with a table that was made by hand, with an HNSW index.
func (b *beds) attached() (*bed, error) {
	s, err := b.postgresServer()
	if err != nil {
		return nil, err
	}
	load := func(ctx context.Context, docs []engine.Document) error {
		conn, err := pgx.Connect(ctx, s.DSN())
		if err != nil {
			return err
		}
		defer conn.Close(ctx) //nolint:errcheck // all is stored
		return loadTable(ctx, conn, docs)
	}
	return &bed{Place: s.DSN() + "&table=items", Server: "PostgreSQL, attached", Together: oneStatement, load: load, processes: started, close: s.Close}, nil
}

func loadTable(ctx context.Context, conn *pgx.Conn, docs []engine.Document) error {
	_, err := conn.Exec(ctx, fmt.Sprintf(`CREATE EXTENSION IF NOT EXISTS vector; CREATE TABLE items (id text PRIMARY KEY, title text, body text, embedding vector(%d))`, dimension))
	if err != nil {
		return err
	}
	for some := range slices.Chunk(docs, 1000) {
		var ids, titles, texts, vectors []string
		for _, d := range some {
			vector, err := json.Marshal(d.Vector)
			if err != nil {
				return err
			}
			ids, titles, texts, vectors = append(ids, d.ID), append(titles, d.Title), append(texts, d.Text), append(vectors, string(vector))
		}
		const insert = `INSERT INTO items SELECT id, title, body, vector::vector FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) d (id, title, body, vector)`
		if _, err := conn.Exec(ctx, insert, ids, titles, texts, vectors); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, `CREATE INDEX ON items USING hnsw (embedding vector_cosine_ops); ANALYZE items`)
	return err
}
