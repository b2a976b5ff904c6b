package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// BenchmarkVectors reads a thousand vectors of 384 dimensions, in pgvector's
// binary form and as text.
func BenchmarkVectors(b *testing.B) {
	ctx, dsn := context.Background(), sharedDSN(b)
	s, err := Open(ctx, collection(b, dsn), engine.Options{Dimension: 384, Fill: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	r := rand.New(rand.NewPCG(1, 1))
	docs := make([]engine.Document, 1000)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Vector: make([]float32, 384)}
		for j := range docs[i].Vector {
			docs[i].Vector[j] = float32(r.NormFloat64())
		}
	}
	if err := s.Upsert(ctx, docs); err != nil {
		b.Fatal(err)
	}
	read := func(b *testing.B, column string, target any, check func() bool) {
		for b.Loop() {
			rows, err := s.pool.Query(ctx, s.statement(`SELECT `+column+` FROM {c}.documents`))
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for rows.Next() {
				if err := rows.Scan(target); err != nil || !check() {
					b.Fatal("not a vector", err)
				}
				n++
			}
			if n != len(docs) || rows.Err() != nil {
				b.Fatal(n, rows.Err())
			}
		}
	}
	b.Run("binary", func(b *testing.B) {
		var v vector
		read(b, "vector", &v, func() bool { return len(v) == 384 })
	})
	b.Run("text", func(b *testing.B) {
		var text string
		read(b, "vector::text", &text, func() bool {
			parts := strings.Split(strings.Trim(text, "[]"), ",")
			v := make([]float32, len(parts))
			for i, p := range parts {
				x, err := strconv.ParseFloat(p, 32)
				if err != nil {
					return false
				}
				v[i] = float32(x)
			}
			return len(v) == 384
		})
	})
}
