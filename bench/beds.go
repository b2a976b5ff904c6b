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

	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// bed is an engine to measure.
type bed struct {
	Place  string // location of a collection, for stores.Open
	Server string // description of the server
	// Together describes how candidates and similarities are computed if it is in one step.
	Together string

	dir       string       // folder of its files; empty: in memory, or unknown
	processes func() []int // processes of the server; none if it has none or they are not visible
	close     func()
}

// beds are the engines that can be measured.
type beds struct {
	Dir          string // a temporary folder
	Root         string // of the repository
	Postgres     string // address of a server to use instead of the tests'
	PostgresData string // data folder of that server; empty: its memory is not measured
}

var bedNames = []string{"embedded", "postgres"}

// checkBeds returns an error for a name that is not an engine's.
func checkBeds(names []string) error {
	for _, name := range names {
		if !slices.Contains(bedNames, name) {
			return fmt.Errorf("unknown engine %q: those known are %s", name, strings.Join(bedNames, ", "))
		}
	}
	return nil
}

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
	}
	return nil, checkBeds([]string{name})
}

// started returns the processes started by this one.
func started() []int { return family(os.Getpid())[1:] }

// unseen returns no processes, for an engine without a server or one that is not visible.
func unseen() []int { return nil }

const oneStatement = "in one statement"

// postgres starts the server that the tests use.
func (b *beds) postgres() (*bed, error) {
	dir, err := filepath.Abs(cmp.Or(os.Getenv("NSFL_PGSERVER"), filepath.Join(b.Root, ".cache", "pgserver")))
	if err != nil {
		return nil, err
	}
	s, err := postgrestest.Start(dir)
	if err != nil {
		return nil, fmt.Errorf("%w; make setup installs it, or NSFL_TEST_PGVECTOR names another server", err)
	}
	return &bed{Place: s.DSN() + "&collection=bench", Server: "PostgreSQL", Together: oneStatement, processes: started, close: s.Close}, nil
}

// native returns a server that is already running.
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
