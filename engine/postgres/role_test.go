package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// reader makes a role that may log in and nothing else, and returns the address of the
// server for it.
func reader(t *testing.T, dsn string, grants ...string) string {
	t.Helper()
	role := fmt.Sprintf("reader_%d_%d", os.Getpid(), collections.Add(1))
	run(t, dsn, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() {
		run(t, dsn, "DROP OWNED BY "+role)
		run(t, dsn, "DROP ROLE "+role)
	})
	for _, grant := range grants {
		run(t, dsn, "GRANT "+grant+" TO "+role)
	}
	return strings.Replace(dsn, "postgres:secret@", role+"@", 1)
}

// A role that may SELECT suffices, of those columns alone that are needed; what is done is
// done in transactions that can only read.
func TestReader(t *testing.T) {
	dsn := sharedDSN(t)
	if os.Getenv("NSFL_TEST_PGVECTOR") != "" {
		t.Skip("makes roles, which another server may have in another way")
	}
	name, docs := schema(collection(t, dsn)), goods(300, 2)
	address := shelf{id: "integer", vector: "vector({d})", after: byCosine}.fill(t, dsn, name, docs)
	table := name + `."Items on sale"`
	for what, grants := range map[string][]string{
		"the table":    {"USAGE ON SCHEMA " + name, "SELECT ON " + table},
		"some columns": {"USAGE ON SCHEMA " + name, `SELECT (key, "Title", body, embedding, n) ON ` + table},
	} {
		as := strings.Replace(address, dsn, reader(t, dsn, grants...), 1)
		s := attachedTo(t, as)
		for call, f := range enginetest.Calls(t, s, docs) {
			if err := f(context.Background()); err != nil {
				t.Errorf("%s, %s: %v", what, call, err)
			}
		}
		d, err := s.Get(context.Background(), "7", engine.AllParts)
		if err != nil || string(d.Metadata) != `{"n":7}` || d.Text != "number 7" {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
		_, err = s.ask(context.Background(), "UPDATE "+table+" SET n = 0", nil, nil)
		if code := sqlState(err); code != "25006" && code != "42501" {
			t.Errorf("%s: a write: %v", what, err)
		}
	}
	_, err := Attach(context.Background(), strings.Replace(address, dsn, reader(t, dsn, "USAGE ON SCHEMA "+name), 1), engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "GRANT SELECT ON") {
		t.Errorf("without a grant: %v", err)
	}
	// Whoever may write is not let either.
	owner := attachedTo(t, address)
	rows, err := owner.ask(context.Background(), "UPDATE "+table+" SET n = 0 RETURNING 1", nil, nil)
	if err == nil {
		rows.Close()
		err = rows.Err()
	}
	if code := sqlState(err); code != "25006" {
		t.Errorf("a write of the owner's: %v", err)
	}
}

// Views, materialised views, other types of ids and of vectors, rows without a vector or
// with one that has no direction, and only some of the rows.
func TestShapes(t *testing.T) {
	dsn := sharedDSN(t)
	docs := goods(40, 3)
	for i := range docs {
		docs[i].ID = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	}
	name := schema(collection(t, dsn))
	address := shelf{id: "uuid", vector: "vector({d})", after: byCosine + `; UPDATE {t} SET embedding = NULL WHERE n = 3; UPDATE {t} SET embedding = array_fill(0, ARRAY[{d}])::vector WHERE n = 4;
		CREATE VIEW ` + name + `.seen AS SELECT key AS id, body AS text, embedding, n, now() AS at, ARRAY[n, n + 1] AS near FROM {t};
		CREATE MATERIALIZED VIEW ` + name + `.kept AS SELECT key AS id, body AS text, embedding::halfvec, n, DATE '2024-05-06' AS at, ARRAY[n, n + 1] AS near FROM {t};
		CREATE VIEW ` + name + `.sparse AS SELECT n::numeric AS id, body AS text, embedding::sparsevec FROM {t}`}.fill(t, dsn, name, docs)
	near := [][]float32{docs[9].Vector}
	for _, c := range []struct {
		address string
		rows    int
		id      string // of what is nearest
	}{
		{address, 38, docs[9].ID},
		{dsn + "&table=" + name + ".seen", 38, docs[9].ID},
		{dsn + "&table=" + name + ".kept", 38, docs[9].ID},
		{dsn + "&table=" + name + ".sparse", 38, "9"},
		{address + "&only=" + remote.Escape("n:>=5 AND n:<15"), 10, docs[9].ID},
	} {
		s := attachedTo(t, c.address)
		found, err := s.Pool(context.Background(), near, 100, nil, near)
		if err != nil || len(found.Refs) != c.rows {
			t.Errorf("%s: %d rows, %v", s.calls.Place, len(found.Refs), err)
			continue
		}
		for i, r := range found.Refs {
			if found.Similarities[0][i] > 0.999 && r.Key != c.id {
				t.Errorf("%s: %s has %f", s.calls.Place, r.Key, found.Similarities[0][i])
			}
		}
		d, err := s.Get(context.Background(), c.id, engine.AllParts)
		if err != nil || d.Text != "number 9" || len(d.Vector) != dim {
			t.Errorf("%s: %+v, %v", s.calls.Place, d, err)
		}
	}
	kept := attachedTo(t, dsn+"&table="+name+".kept")
	d, err := kept.Get(context.Background(), docs[9].ID, engine.Metadata)
	if err != nil || string(d.Metadata) != `{"n":9,"at":"2024-05-06","near":[9,10]}` {
		t.Errorf("got metadata %s and error %v, want n, at and near", d.Metadata, err)
	}
	seen := attachedTo(t, dsn+"&table="+name+".seen")
	if seen.access == nil || seen.access.operator != "<=>" {
		t.Errorf("the index behind a view is not seen: %+v", seen.access)
	}
}

// What is not clear is asked, with the columns there are and an address that would do.
func TestQuestions(t *testing.T) {
	dsn := sharedDSN(t)
	name := schema(collection(t, dsn))
	address := shelf{id: "text", vector: "vector({d})", after: `CREATE TABLE ` + name + `.two (id int PRIMARY KEY, a vector(3), b vector(3), body text);
		CREATE TABLE ` + name + `.none (id int PRIMARY KEY, body text); CREATE TABLE ` + name + `.keys (a int, b int, v vector(3), PRIMARY KEY (a, b));
		CREATE TABLE ` + name + `.bare (id int PRIMARY KEY, v vector)`}.fill(t, dsn, name, goods(3, 1))
	at := dsn + "&table=" + name + "."
	for ask, want := range map[string]string{
		at + "two":                   "2 columns hold a vector: say which",
		at + "none":                  "no column holds a vector",
		at + "keys":                  "the key has several columns",
		at + "bare":                  "no row has a vector",
		at + "missing":               "there is no such table",
		at + "two&vector=c":          `there is no column "c" for the vector`,
		at + "two&vector=body":       "holds no vectors",
		at + "a.b.c":                 "is not like items or shop.items",
		at + "two&collection=films":  "names a table and a collection",
		address + "&only=dog":        "it is a condition such as",
		address + "&only=text:dog":   "it is a condition such as",
		address + "&only=n%3A%3E":    "it is a condition such as",
		address + "&metadata=Title":  "not a JSON object",
		dsn + "&vector=a&id=b":       "say which table, with table=NAME",
		dsn + "&collection=Films%22": "is not a small letter",
	} {
		open := func() error { _, err := Open(context.Background(), ask, engine.Options{}); return err }
		if Attached(ask) {
			open = func() error { _, err := Attach(context.Background(), ask, engine.Options{}); return err }
		}
		err := open()
		var input *engine.InputError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &input) && ask != at+"bare" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", ask, err)
		}
	}
	_, err := Open(context.Background(), dsn, engine.Options{ReadOnly: true})
	if !errors.Is(err, engine.ErrNotCollection) || !strings.Contains(err.Error(), "?table="+name+".two") || !strings.Contains(err.Error(), "&id=key&vector=embedding&text=body") {
		t.Errorf("a database without a collection: %v", err)
	}
}

// A table whose rows come and go while it is read.
func TestRowsThatGo(t *testing.T) {
	dsn := sharedDSN(t)
	name, docs := schema(collection(t, dsn)), goods(20, 1)
	s := attachedTo(t, shelf{id: "integer", vector: "vector({d})"}.fill(t, dsn, name, docs))
	run(t, dsn, `DELETE FROM `+name+`."Items on sale" WHERE n = 5`)
	found, err := s.Documents(context.Background(), []engine.Ref{{Key: "4"}, {Key: "5"}, {Key: "x"}}, engine.NoParts)
	if err != nil || found[0].ID != "4" || found[1].ID != "" || found[2].ID != "" {
		t.Errorf("got %+v and error %v, want 4 alone", found, err)
	}
	run(t, dsn, `DROP TABLE `+name+`."Items on sale"`)
	_, err = s.Find(context.Background(), "4")
	if err == nil || errors.Is(err, engine.ErrNotFound) || errors.Is(err, pgx.ErrNoRows) {
		t.Errorf("a table that is gone: %v", err)
	}
}
