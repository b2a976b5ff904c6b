package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// shelf is how a table is made that something else could have made.
type shelf struct {
	id, vector string // the types of these columns
	json       bool   // the metadata is in one column, of JSON
	after      string // what is done when it is filled
	asked      bool   // the server is asked, and no copy is made
}

// fill makes a table in a schema of that name, and returns the address to attach to.
// In what a shelf says, {t} is the table and {d} the dimension.
func (s shelf) fill(t testing.TB, dsn, name string, docs []engine.Document) (address string) {
	t.Helper()
	table := name + `."Items on sale"`
	text := strings.NewReplacer("{t}", table, "{d}", strconv.Itoa(len(docs[0].Vector)))
	columns := `n integer, even boolean, name varchar(40), score double precision, tags text[], place jsonb`
	values := `(m ->> 'n')::integer, (m ->> 'even')::boolean, m ->> 'name', (m ->> 'score')::float8,
		CASE WHEN m ? 'tags' THEN ARRAY(SELECT jsonb_array_elements_text(m -> 'tags')) END, m -> 'place'`
	if s.json {
		columns, values = `metadata jsonb`, `m`
	}
	run(t, dsn, `CREATE EXTENSION IF NOT EXISTS vector`)
	run(t, dsn, "CREATE SCHEMA "+name)
	run(t, dsn, text.Replace(fmt.Sprintf(`CREATE TABLE {t} (key %s PRIMARY KEY, "Title" text, body text, embedding %s, %s)`, s.id, s.vector, columns)))
	var ids, titles, texts, vectors, metadata []string
	for _, d := range docs {
		vector, err := json.Marshal(d.Vector)
		if err != nil {
			t.Fatal(err)
		}
		ids, titles, texts = append(ids, d.ID), append(titles, d.Title), append(texts, d.Text)
		vectors, metadata = append(vectors, string(vector)), append(metadata, string(d.Metadata))
	}
	run(t, dsn, text.Replace(fmt.Sprintf(`INSERT INTO {t} SELECT id::%s, nullif(title, ''), nullif(body, ''), vector::vector::%s, %s
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) d (id, title, body, vector, metadata), LATERAL (SELECT nullif(metadata, '')::jsonb AS m) m`,
		s.id, s.vector, values)), ids, titles, texts, vectors, metadata)
	if s.after != "" {
		for statement := range strings.SplitSeq(text.Replace(s.after), ";") {
			run(t, dsn, statement)
		}
	}
	return dsn + "&table=" + remote.Escape(table) + "&text=body&title=Title"
}

// foreign has tables of a kind made on the server of the tests.
func (s shelf) foreign(t testing.TB) enginetest.Maker {
	dsn := sharedDSN(t)
	return enginetest.Maker{Mixed: s.json, Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
		address := s.fill(t, dsn, schema(collection(t, dsn)), docs)
		return func(o engine.Options) (enginetest.Store, error) {
			table, err := Attach(context.Background(), address, o)
			if err != nil {
				return nil, err
			}
			if s.asked {
				table.Limits.Copied = 0
			}
			return table, nil
		}
	}}
}

// attached attaches to a table that is let go with the test.
func attachedTo(t testing.TB, address string) *Table {
	t.Helper()
	table, err := Attach(context.Background(), address, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

const byCosine = `CREATE INDEX ON {t} USING hnsw (embedding vector_cosine_ops)`

func TestAttached(t *testing.T) {
	t.Run("columns", func(t *testing.T) {
		enginetest.Run(t, shelf{id: "text", vector: "vector({d})"}.foreign(t))
	})
	t.Run("json", func(t *testing.T) {
		f := shelf{id: "text", vector: "vector({d})", json: true, after: byCosine, asked: true}.foreign(t)
		f.Overlap = overlap
		enginetest.Run(t, f)
	})
	t.Run("numbers", func(t *testing.T) {
		f := shelf{id: "bigint", vector: "vector", after: `CREATE INDEX ON {t} USING gin (to_tsvector('english', coalesce("Title", '') || ' ' || coalesce(body, '')))`, asked: true}.foreign(t)
		f.ID = func(i int) string { return strconv.Itoa(i - 50) }
		enginetest.Run(t, f)
	})
}

func TestAttachedFailures(t *testing.T) {
	var started *postgrestest.Server
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{hostOf(t, sharedDSN(t))} },
		Start: func(t testing.TB) ([]string, *os.Process) {
			started = postgrestest.New(t)
			return []string{started.Address()}, started.Process()
		},
		Attach: func(t testing.TB, at []string, docs []engine.Document) (enginetest.Store, error) {
			dsn := sharedDSN(t)
			name := schema(collection(t, dsn))
			if started != nil {
				dsn = started.DSN()
			}
			address := shelf{id: "text", vector: "vector({d})"}.fill(t, dsn, name, docs)
			table, err := Attach(context.Background(), strings.Replace(address, hostOf(t, dsn), at[0], 1), engine.Options{})
			if err != nil {
				return nil, err
			}
			table.Limits.Copied = 0 // a copy would answer while the server is silent
			return table, nil
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &s.(*Table).calls.Options
			usual := *o
			o.Timeout = limit
			return func() { *o = usual }
		},
	})
}

// hostOf is where the server of an address listens.
func hostOf(t testing.TB, dsn string) string {
	c, _, err := configure(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimPrefix(server(c), "postgres://"), "/")[0]
}
