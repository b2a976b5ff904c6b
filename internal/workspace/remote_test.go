package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/pushdown"
	"github.com/nsfl-go/nsfl/query"
)

// capable is a store with every capability.
type capable struct{ *index.Collection }

func (capable) Ranks() bool { return true }

func (capable) Rank(context.Context, *pushdown.Score, [][]float32, query.Node, int) ([]engine.Ref, []float64, []float64, error) {
	return []engine.Ref{{Number: 1}}, nil, nil, nil
}

func (capable) Catalogue() ([]string, map[string]string) { return []string{"a"}, nil }

func newRemote(c engine.Collection) *remote {
	return &remote{c, newRemoteHealth("films", "", &Config{ReadTime: time.Minute, WriteTime: time.Minute})}
}

// A wrapped store has the capabilities of the store inside, and refuses all of them while
// that one is down.
func TestRemoteCapabilities(t *testing.T) {
	ctx := t.Context()
	inner, err := index.OpenOrCreate(ctx, t.TempDir(), index.Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	r := newRemote(capable{inner})
	c := engine.CapabilitiesOf(r)
	for v, i := reflect.ValueOf(c), 0; i < v.NumField(); i++ {
		if name := v.Type().Field(i).Name; v.Field(i).IsNil() {
			t.Errorf("got no %s behind the wrapper, want that of the store", name)
		}
	}
	if t.Failed() {
		return
	}
	calls := map[string]func() error{
		"Rank":        func() error { _, _, _, err := c.Ranker.Rank(ctx, nil, nil, nil, 1); return err },
		"Scan":        func() error { _, err := c.Scanner.Scan(ctx, [][]float32{{1, 0}}, nil); return err },
		"Statistics":  func() error { _, err := c.Worded.Statistics(ctx); return err },
		"CountValues": func() error { return c.Counter.CountValues(ctx, "a", nil, func(engine.Value, int) {}) },
		"FieldNames":  func() error { _, _, err := c.Described.FieldNames(ctx); return err },
		"Fields":      func() error { _, err := c.Described.Fields(ctx); return err },
		"Notes":       func() error { _, err := r.Notes(ctx, ""); return err },
		"SetNotes":    func() error { return r.SetNotes(ctx, map[string]string{"a": "b"}) },
	}
	for name, call := range calls {
		if err := call(); err != nil {
			t.Errorf("%s: got %v, want no error", name, err)
		}
	}
	r.store.down = reject(Unavailable, "down")
	for name, call := range calls {
		if err := call(); !errors.Is(err, r.store.down) {
			t.Errorf("%s of a store that is down: got %v, want %v", name, err, r.store.down)
		}
	}
	if got := engine.CapabilitiesOf(newRemote(struct{ engine.Collection }{inner})); got != (engine.Capabilities{}) {
		t.Errorf("got the capabilities %+v of a store that has none", got)
	}
}

func TestRemoteConformance(t *testing.T) {
	dirs := map[string]string{}
	enginetest.Run(t, enginetest.Maker{Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		key := t.Name() + "/" + name
		if dirs[key] == "" {
			dirs[key] = t.TempDir()
		}
		return wrapped(dirs[key], o)
	}})
}

func wrapped(place string, o engine.Options) (enginetest.Store, error) {
	c, err := stores.Open(context.Background(), place, o)
	if err != nil {
		return nil, err
	}
	return newRemote(c), nil
}

// A table that PostgreSQL ranks and counts itself does so behind the wrapper too.
func TestRemoteTable(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	ctx, dsn := t.Context(), postgrestest.New(t).DSN()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `CREATE EXTENSION vector`); err != nil {
		t.Fatal(err)
	}
	tables := 0
	enginetest.RunAttached(t, enginetest.Attached{Mixed: true, Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
		tables++
		table := fmt.Sprint("items", tables)
		if _, err := conn.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (id text PRIMARY KEY, title text, body text, embedding vector(%d), metadata jsonb)", table, len(docs[0].Vector))); err != nil {
			t.Fatal(err)
		}
		batch := &pgx.Batch{}
		for _, d := range docs {
			vector, err := json.Marshal(d.Vector)
			if err != nil {
				t.Fatal(err)
			}
			batch.Queue("INSERT INTO "+table+" VALUES ($1, nullif($2, ''), nullif($3, ''), $4::text::vector, nullif($5, '')::jsonb)", d.ID, d.Title, d.Text, string(vector), string(d.Metadata))
		}
		if err := conn.SendBatch(ctx, batch).Close(); err != nil {
			t.Fatal(err)
		}
		return func(o engine.Options) (enginetest.Store, error) {
			s, err := wrapped(dsn+"&table="+table, o)
			if c := engine.CapabilitiesOf(s); err == nil && (c.Ranker == nil || !c.Ranker.Ranks() || c.Counter == nil || c.Catalogued == nil) {
				t.Errorf("got the capabilities %+v, want a ranker, a counter and a catalogue", c)
			}
			return s, err
		}
	}})
}
