package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// TestRemoteCapabilities: a collection has all capabilities of its store, such as ranking and
// counting in PostgreSQL.
func TestRemoteCapabilities(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	ctx, dsn := t.Context(), postgrestest.New(t).DSN()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	vector := fmt.Sprintf("array_fill(0.05, ARRAY[%d])::vector", builtinDimension)
	for _, sql := range []string{
		`CREATE EXTENSION vector`,
		fmt.Sprintf(`CREATE TABLE films (id text PRIMARY KEY, title text, body text, embedding vector(%d), metadata jsonb)`, builtinDimension),
		`INSERT INTO films VALUES ('1', 'Rear Window', 'A man watches his neighbours.', ` + vector + `, '{"year": 1954}')`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	c := open(t, Config{Places: map[string]string{"films": dsn + "&table=films"}, Hold: true})
	o, release, err := c.Use(ctx, "films", false)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	got := engine.CapabilitiesOf(o.Store())
	for v, i := reflect.ValueOf(got), 0; i < v.NumField(); i++ {
		if name := v.Type().Field(i).Name; v.Field(i).IsNil() && !slices.Contains([]string{"Ranker", "Described"}, name) { // a small table is copied and scanned
			t.Errorf("got no %s, want the one of the store", name)
		}
	}
}

const builtinDimension = 384

// TestExplain: errors of a remote store do not reveal its address; others stay as they are.
func TestExplain(t *testing.T) {
	h := &Handle{remote: newRemoteHealth("films", "postgres://secret", &Config{})}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want string // empty: the error itself
	}{
		"none":      {t.Context(), nil, ""},
		"document":  {t.Context(), engine.BadInput("document 1", "too long"), ""},
		"encoder":   {t.Context(), &EncoderError{errors.New("no answer")}, ""},
		"rejection": {t.Context(), noCollection("films"), ""},
		"cancelled": {ended, context.Canceled, ""},
		"timeout":   {t.Context(), context.DeadlineExceeded, "does not answer"},
		"lost":      {t.Context(), io.ErrUnexpectedEOF, "cannot be reached"},
		"other":     {t.Context(), errors.New("postgres://secret: no table"), "has failed"},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.Explain(c.ctx, c.err)
			if c.want == "" && fmt.Sprint(got) != fmt.Sprint(c.err) {
				t.Errorf("got %v, want %v", got, c.err)
			}
			if c.want != "" {
				refused(t, got, Unavailable, c.want)
			}
			if local := (&Handle{}).Explain(c.ctx, c.err); fmt.Sprint(local) != fmt.Sprint(c.err) {
				t.Errorf("in a directory: got %v, want %v", local, c.err)
			}
		})
	}
}
