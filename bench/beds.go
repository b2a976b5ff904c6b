//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// bed is where an engine is measured.
type bed struct {
	Place  string // of a collection, for stores.Open
	Server string // what runs, in words
	// Together is how candidates and similarities come, where not one after the
	// other.
	Together string

	// load stores documents as something else would. Nil: they are stored as in a collection.
	load      func(ctx context.Context, docs []engine.Document) error
	dir       string       // where it keeps its files; empty: in memory, or unknown
	processes func() []int // of the server, where there is one and it can be seen
	close     func()
}

// beds are the engines that can be measured.
type beds struct {
	Dir          string // a temporary folder
	Root         string // of the repository
	Postgres     string // address of a server to use rather than the tests'
	PostgresData string // where that one keeps its data; empty: it is not looked at
}

var bedNames = []string{"embedded", "postgres", "postgres-attached"}

// checkBeds is an error where one of several names is no engine's.
func checkBeds(names []string) error {
	for _, name := range names {
		if !slices.Contains(bedNames, name) {
			return fmt.Errorf("unknown engine %q: those known are %s", name, strings.Join(bedNames, ", "))
		}
	}
	return nil
}

// start starts an engine.
func (b *beds) start(name string) (*bed, error) {
	dir := filepath.Join(b.Dir, name)
	switch name {
	case "embedded":
		return &bed{Place: dir, Server: "the embedded collection", Together: "in one step", dir: dir, processes: unseen, close: func() {}}, nil
	case "postgres":
		if b.Postgres != "" {
			return b.native()
		}
		return b.postgres()
	case "postgres-attached":
		return b.attached()
	}
	return nil, checkBeds([]string{name})
}

// started are the processes that this one has started.
func started() []int { return family(os.Getpid())[1:] }

// unseen are those of a server that cannot be looked at, or of none.
func unseen() []int { return nil }

const oneStatement = "in one statement"

// postgresServer is that of the tests.
func (b *beds) postgresServer() (*postgrestest.Server, error) {
	dir, err := filepath.Abs(cmp.Or(os.Getenv("NSFL_PGSERVER"), filepath.Join(b.Root, ".cache", "pgserver")))
	if err != nil {
		return nil, err
	}
	s, err := postgrestest.Start(dir)
	if err != nil {
		return nil, fmt.Errorf("%w; make setup installs it, or NSFL_TEST_PGVECTOR names another server", err)
	}
	return s, nil
}

func (b *beds) postgres() (*bed, error) {
	s, err := b.postgresServer()
	if err != nil {
		return nil, err
	}
	return &bed{Place: s.DSN() + "&collection=bench", Server: "PostgreSQL", Together: oneStatement, processes: started, close: s.Close}, nil
}

// native is a server that somebody else has started.
func (b *beds) native() (*bed, error) {
	separator := "?"
	if strings.Contains(b.Postgres, "?") {
		separator = "&"
	}
	collection := fmt.Sprint("bench_", os.Getpid())
	s := &bed{Place: b.Postgres + separator + "collection=" + collection, Server: "PostgreSQL", Together: oneStatement, processes: unseen}
	s.close = func() {
		if err := drop(b.Postgres, collection); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	}
	if b.PostgresData == "" {
		return s, nil
	}
	content, err := os.ReadFile(filepath.Join(b.PostgresData, "postmaster.pid"))
	if err != nil {
		return nil, fmt.Errorf("looking for the server's process: %w", err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return nil, fmt.Errorf("looking for the server's process in postmaster.pid: %w", err)
	}
	s.dir, s.processes = filepath.Join(b.PostgresData, "base"), func() []int { return family(pid) }
	return s, nil
}

// drop removes a collection from a server that goes on to run.
func drop(address, collection string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("removing the schema %s: %w", collection, err)
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is in progress
	_, err = conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+pgx.Identifier{collection}.Sanitize()+" CASCADE")
	return err
}
