package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

var petTexts = []string{
	"A dog on a leash beside its owner in the park.",
	"A dog runs free along the beach.",
	"A cat asleep on a windowsill.",
	"Tomato soup with basil and bread.",
	"Two dogs chase a ball over wet grass.",
	"An old trombone in its velvet case.",
}

// vectorsOf are those that the built-in encoder makes of texts.
func vectorsOf(t *testing.T, texts []string) [][]float32 {
	t.Helper()
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := e.Encode(context.Background(), encoder.Document, texts)
	if err != nil {
		t.Fatal(err)
	}
	return encoded.Vectors
}

// TestAttach: what LangChain has stored, and a table that was made by hand, are searched as
// they are, with the encoder compared, and can be copied.
func TestAttach(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	srv := postgrestest.New(t)
	srv.LangChain(t, petTexts, vectorsOf(t, petTexts))
	// By hand, of the titles alone, and one of vectors that nothing here makes.
	srv.Run(t, `CREATE TABLE items AS SELECT substring(id FROM 5)::int AS id, document AS title, 'Nothing to do with it.' AS body, embedding::vector(384), cmetadata -> 'year' AS year
		FROM langchain_pg_embedding WHERE collection_id = '`+postgrestest.Pets+`'`)
	srv.Run(t, `CREATE TABLE odd AS SELECT id, body, (SELECT embedding FROM items i WHERE i.id = (items.id + 3) % 6) AS embedding FROM items`)
	chain := srv.DSN() + "&table=langchain_pg_embedding&only=collection_id:" + postgrestest.Pets
	items, odd := srv.DSN()+"&table=items&id=id", srv.DSN()+"&table=odd"

	said := func(want string, args ...string) {
		t.Helper()
		code, out, errs := cli("", args...)
		if code != exitOK || !strings.Contains(out+errs, want) || strings.Contains(out+errs, postgrestest.Password) {
			t.Errorf("nsfl %s exits with %d, without %q: %s%s", args[0], code, want, out, errs)
		}
	}
	failed := func(want string, args ...string) {
		t.Helper()
		if code, out, errs := cli("", args...); code == exitOK || !strings.Contains(errs, want) || strings.Contains(out+errs, postgrestest.Password) {
			t.Errorf("nsfl %s exits with %d, without %q: %s%s", args[0], code, want, out, errs)
		}
	}
	failed("&vector=embedding&text=document&metadata=cmetadata", "search", "-c", srv.DSN(), "dog")
	said("(text) is 1.000", "search", "-c", chain, "dog AND NOT leash")
	said(`CREATE INDEX ON public.langchain_pg_embedding USING hnsw (("embedding"::vector(384)) vector_cosine_ops) WHERE vector_dims("embedding") = 384`, "info", "-c", chain)
	code, out, errs := cli("", "search", "-c", chain, "dog AND NOT leash")
	if code != exitOK || errs != "" || !strings.Contains(out, "pet-1") {
		t.Errorf("the second time: %d, %s%s", code, out, errs)
	}
	a := answerOf(t, "search", "-c", chain, "-k", "3", "dog AND NOT leash")
	if got := ids(a); len(got) != 3 || got[0] != "pet-1" && got[0] != "pet-4" {
		t.Errorf("found %v", got)
	}
	if got := ids(answerOf(t, "search", "-c", chain, "dog year:<=2001 tags:t1")); len(got) != 1 || got[0] != "pet-1" {
		t.Errorf("by a filter: %v", got)
	}
	if got := ids(answerOf(t, "search", "-c", chain, "-k", "1", "trombone")); got[0] != "pet-5" {
		t.Errorf("by a word: %v", got)
	}
	said("agreement", "info", "-c", chain)
	said("documents   6\n", "info", "-c", chain)
	said("is 1.000", "search", "-c", items, "dog AND NOT leash")
	said("(title)", "info", "-c", items)
	said("warning: the vectors were not made by this encoder, or from other texts", "search", "-c", odd, "dog")
	said("warning: the vectors were not made by this encoder", "search", "-c", odd, "dog") // and again
	failed("its vectors have 384 dimensions", "search", "-c", chain+"&encoder=vectors:3", "dog")
	failed("only read", "delete", "-c", chain, "pet-1")
	failed("only read", "index", filepath.Join("..", "..", "LICENSE"), "-c", chain)

	dir := filepath.Join(t.TempDir(), "copied")
	said("6", "copy", chain, dir)
	if got := ids(answerOf(t, "search", "-c", dir, "-k", "1", "cat year:2002")); got[0] != "pet-2" {
		t.Errorf("in the copy: %v", got)
	}
	said("encoder     builtin\n", "info", "-c", dir)
	// Of vectors that nobody has named an encoder for, nobody knows what made them, until
	// one is named.
	unknown := filepath.Join(t.TempDir(), "unknown")
	said("6", "copy", items+"&vector=embedding", unknown)
	failed("come from an unknown encoder", "search", "-c", unknown, "cat")
	said("(title) is 1.000", "search", "-c", unknown, "--encoder", "builtin", "cat")
	if got := ids(answerOf(t, "search", "-c", unknown, "-k", "1", "cat")); got[0] != "2" {
		t.Errorf("in a collection that says nothing of its encoder: %v", got)
	}
}
