//go:build linux

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// TestTableCost measures a small table on a real server.
func TestTableCost(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes texts")
	}
	model, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	m := tableCost{encoder: model, dsn: postgrestest.New(t).DSN()}
	if err := m.read(context.Background()); err != nil {
		t.Fatal(err)
	}
	m.warming, m.measured = m.warming[:2], m.measured[:2]
	var out bytes.Buffer
	if err := m.measure(context.Background(), &out, 300); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 300 |  | 300 |", "| 300 | price:<2.3 |", "| 100 % |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %s, want %q in it", &out, want)
		}
	}
}
