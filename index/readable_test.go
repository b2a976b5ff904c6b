package index

import (
	"errors"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// expectReadable opens a collection read-only and checks everything.
func expectReadable(t *testing.T, dir string, want map[string]engine.Document) {
	t.Helper()
	expectSound(t, dir)
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	defer func() { must(t, c.Close()) }()
	expectDocuments(t, c, want)
	for _, d := range want {
		hits, err := c.TopK(t.Context(), [][]float32{d.Vector}, len(want), nil)
		must(t, err)
		columns, err := c.Scan(t.Context(), [][]float32{d.Vector}, nil)
		must(t, err)
		if len(hits[0]) != len(want) || len(columns.Refs) != len(want) {
			t.Errorf("%d documents found and %d scanned, want %d", len(hits[0]), len(columns.Refs), len(want))
		}
		break
	}
}

func flatFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		if flatName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestReaderOfNewerFormat: a reader reports that a newer version has migrated the
// collection.
func TestReaderOfNewerFormat(t *testing.T) {
	c := create(t, Options{})
	reader, err := Open(t.Context(), c.dir, Options{ReadOnly: true})
	must(t, err)
	_, err = c.writer.ledger.db.Exec(`UPDATE settings SET value = ? WHERE name = 'format'; UPDATE state SET generation = generation + 1`, FormatVersion+1)
	must(t, err)
	var format *engine.FormatError
	if _, err := count(t.Context(), reader); !errors.As(err, &format) {
		t.Errorf("reading: %v", err)
	}
	must(t, reader.Close())
}
