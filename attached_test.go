package nsfl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/retrieve"
)

// An attached table gives the same answers as the embedded collection with the same documents,
// also after rows have changed. Modes hybrid and exact agree on it, and what is proven holds.
func TestAttachedTableAgrees(t *testing.T) {
	ctx := context.Background()
	server := postgrestest.New(t)
	docs := demoDocuments(t)
	store, err := index.OpenOrCreate(ctx, t.TempDir(), index.Options{Dimension: len(docs[0].Vector), Encoder: nsfl.EncoderName(encoderOf(t).Identity())})
	if err != nil {
		t.Fatal(err)
	}
	embedded := collectionOf(t, store)
	if err := store.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(ctx, server.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	exec := func(text string, args ...any) {
		t.Helper()
		if _, err := conn.Exec(ctx, text, args...); err != nil {
			t.Fatal(err)
		}
	}
	insert := func(docs []engine.Document) {
		for _, d := range docs {
			vector, err := json.Marshal(d.Vector)
			if err != nil {
				t.Fatal(err)
			}
			exec(`INSERT INTO items VALUES ($1, $2, $3::text::vector) ON CONFLICT (id) DO UPDATE SET body = excluded.body, embedding = excluded.embedding`, d.ID, d.Text, string(vector))
		}
	}
	exec(`CREATE EXTENSION vector`)
	exec(fmt.Sprintf(`CREATE TABLE items (id text PRIMARY KEY, body text, embedding vector(%d))`, len(docs[0].Vector)))
	insert(docs)
	exec(`CREATE INDEX ON items USING hnsw (embedding vector_cosine_ops)`)
	table, err := postgres.Attach(ctx, server.DSN()+"&table=items", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	attached := collectionOf(t, table)

	queries, err := demo.Queries()
	if err != nil {
		t.Fatal(err)
	}
	const formulas = 50
	compare := func(when string) {
		t.Helper()
		same, all := 0, 0
		for i := range formulas {
			text := queries[i*len(queries)/formulas].Formula
			want, got := hits(t, embedded, text, retrieve.Auto), hits(t, attached, text, retrieve.Auto)
			for id := range want.ranks {
				if all++; got.ranks[id] > 0 {
					same++
				}
			}
		}
		overlap := float64(same) / float64(all)
		t.Logf("%s: overlap@10 of %d formulas with the embedded collection: %.4f", when, formulas, overlap)
		if overlap < 0.99 {
			t.Errorf("%s: got an overlap of %.4f with the embedded collection, want 0.99 or more", when, overlap)
		}
	}
	compare("attached")

	// The rows of a quarter change places, some are new and some are gone.
	for i := range len(docs) / 8 {
		a, b := &docs[i], &docs[len(docs)/4-1-i]
		a.Text, a.Vector, b.Text, b.Vector = b.Text, b.Vector, a.Text, a.Vector
	}
	added := docs[9] // which is deleted below
	added.ID = "added"
	gone := docs[9].ID
	insert(append(docs[:len(docs)/4:len(docs)/4], added))
	exec(`DELETE FROM items WHERE id = $1`, gone)
	if err := store.Upsert(ctx, append(docs[:len(docs)/4:len(docs)/4], added)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Delete(ctx, []string{gone}); err != nil {
		t.Fatal(err)
	}
	compare("after changes")

	random := rand.New(rand.NewPCG(31, 1))
	proven, violations := 0, 0
	labelled, err := demo.Documents()
	if err != nil {
		t.Fatal(err)
	}
	atom := func() string { return `"` + labelled[random.IntN(len(labelled))].Labels[0] + `"` }
	for range 200 {
		text := atom()
		for range 1 + random.IntN(3) {
			text = fmt.Sprintf([]string{"(%s) AND %s", "(%s) OR %s", "(%s) AND NOT %s"}[random.IntN(3)], text, atom())
		}
		exact, hybrid := hits(t, attached, text, retrieve.Exact), hits(t, attached, text, retrieve.Hybrid)
		proven += hybrid.proven
		for id, rank := range hybrid.ranks {
			if rank <= hybrid.proven && exact.ranks[id] == 0 && hybrid.scores[id] < exact.last-1e-5 {
				violations++
				t.Errorf("%s: hybrid has proven %s at rank %d, and exact does not have it", text, id, rank)
			}
		}
	}
	t.Logf("200 random formulas: %d results proven, %d violations", proven, violations)
	if proven == 0 {
		t.Error("got no proof, want some")
	}
}

// demoDocuments returns the documents of the demo, with one vector each.
func demoDocuments(t *testing.T) []engine.Document {
	texts, err := demo.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var docs []engine.Document
	var contents []string
	for _, d := range texts {
		docs = append(docs, engine.Document{ID: d.ID, Text: strings.Join(d.Passages, " ")})
		contents = append(contents, docs[len(docs)-1].Text)
	}
	encoded, err := encoderOf(t).Encode(context.Background(), encoder.Document, contents)
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		docs[i].Vector = encoded.Vectors[i]
	}
	return docs
}

func encoderOf(t testing.TB) encoder.Encoder {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func collectionOf(t testing.TB, store engine.Collection) *nsfl.Collection {
	c, err := nsfl.New(context.Background(), store, &nsfl.Config{Encoder: encoderOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// found are the first ten results of a search.
type found struct {
	ranks  map[string]int
	scores map[string]float64
	last   float64 // the score of the last
	proven int
}

func hits(t *testing.T, c *nsfl.Collection, text string, mode retrieve.Mode) found {
	t.Helper()
	r, err := c.Search(context.Background(), text, nsfl.Options{K: 10, AllCopies: true, All: true, Research: nsfl.Research{Mode: mode}})
	if err != nil {
		t.Fatalf("%s by %s: %v", text, mode, err)
	}
	out := found{ranks: map[string]int{}, scores: map[string]float64{}}
	for _, h := range r.Hits {
		out.ranks[h.ID], out.scores[h.ID], out.last = h.Rank, h.Score, h.Score
	}
	if r.Proof != nil {
		out.proven = r.Proof.Exact
	}
	return out
}
