package server

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// A table that another program fills is searched, explained and listed like any collection,
// tells how well the encoder agrees with it, and refuses to be changed.
func TestAttached(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"A dog on a leash in the park.", "A dog runs free on the beach.", "A cat asleep on a windowsill.", "Tomato soup with bread."}
	encoded, err := e.Encode(context.Background(), encoder.Document, texts)
	if err != nil {
		t.Fatal(err)
	}
	srv, log := postgrestest.New(t), &journal{}
	srv.LangChain(t, texts, encoded.Vectors)
	srv.Run(t, `CREATE TABLE odd AS SELECT id, 'Of something else.' AS text, embedding FROM langchain_pg_embedding WHERE collection_id = '`+postgrestest.Pets+`'`)
	a := start(t, Config{
		Root: t.TempDir(),
		Stores: map[string]string{
			"pets": srv.DSN() + "&table=langchain_pg_embedding&encoder=builtin&only=collection_id:" + postgrestest.Pets,
			"odd":  srv.DSN() + "&table=odd",
			"none": srv.DSN() + "&table=nowhere",
		},
		Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	const pets = "/v1/collections/pets"
	c := a.call(200, "GET", pets, "")
	if c["documents"] != 4.0 || c["read_only"] != true || c["encoder"] != "builtin" || at(c, "agreement", "texts") != 4.0 || at(c, "agreement", "from") != "text" || c["doubt"] != nil {
		t.Errorf("got the collection %v, want 4 documents, read-only, of the built-in encoder, without doubt", c)
	}
	if mean := at(c, "agreement", "mean").(float64); mean < 0.999 {
		t.Errorf("the mean cosine is %f", mean)
	}
	if c := a.call(200, "GET", "/v1/collections/odd", ""); !strings.Contains(fmt.Sprint(c["doubt"]), "were not made by this encoder") {
		t.Errorf("got the collection %v, want a doubt about its encoder", c)
	}
	a.fails("unavailable", `the store of collection "none"`, "GET", "/v1/collections/none", "")
	answer := a.call(200, "POST", pets+"/search", `{"query": "dog AND NOT leash tags:t1", "k": 2, "explain": true}`)
	if got := ids(answer); len(got) == 0 || got[0] != "pet-1" {
		t.Errorf("got %v, want pet-1 first", answer)
	}
	if far := a.call(200, "POST", pets+"/explain", `{"query": "dog AND NOT leash", "id": "pet-3"}`); at(far, "hits", 0, "id") != "pet-3" {
		t.Errorf("got %v, want pet-3 explained", far)
	}
	if page := a.call(200, "GET", pets+"/documents?limit=3", ""); len(page["documents"].([]any)) != 3 || at(page, "documents", 0, "metadata", "year") != 2000.0 {
		t.Errorf("got %v, want 3 documents, the first of 2000", page)
	}
	for _, change := range [][3]string{
		{"POST", pets + "/documents", animals}, {"DELETE", pets + "/documents/pet-1", ""},
	} {
		a.fails("read_only", "another program fills", change[0], change[1], change[2])
	}
	a.fails("exists", "already", "POST", "/v1/collections", `{"name": "pets"}`)
	a.fails("read_only", "delete it there", "DELETE", pets, "")
	if said := log.String(); !strings.Contains(said, "is 1.000") || !strings.Contains(said, "there is no such table") || strings.Contains(said, postgrestest.Password) {
		t.Errorf("the log says:\n%s", said)
	}
}
