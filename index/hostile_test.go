//go:build unix

package index

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHostileFiles: a collection in which a file is a pipe or a link is refused, for
// reading too, and without waiting.
func TestHostileFiles(t *testing.T) {
	dir, _ := soundCopy(t, source(t, 71))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	for _, name := range append(flatFiles(t, dir), ledgerName) {
		for kind, replace := range map[string]func(path string) error{
			"a pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"a symbolic link": func(path string) error { return os.Symlink(elsewhere, path) },
		} {
			t.Run(name+" is "+kind, func(t *testing.T) {
				hostile := copyOf(t, dir)
				path := filepath.Join(hostile, name)
				content, err := os.ReadFile(path)
				must(t, err)
				must(t, os.WriteFile(elsewhere, content, 0o600))
				must(t, os.Remove(path))
				must(t, replace(path))
				for _, o := range []Options{{}, {ReadOnly: true}} {
					if c, err := Open(t.Context(), hostile, o); err == nil {
						must(t, c.Close())
						t.Errorf("opened with %+v", o)
					}
				}
				if r, err := Verify(t.Context(), hostile); err == nil && len(r.Damage) == 0 {
					t.Error("verified")
				}
			})
		}
	}
}

// TestHostileLedger: nothing that a ledger brings along runs when it is read or written.
func TestHostileLedger(t *testing.T) {
	dir, _ := soundCopy(t, source(t, 72))
	const endless = `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) AS value FROM n)`
	for name, statements := range map[string]string{
		"a view":          `DROP TABLE notes; CREATE VIEW notes AS SELECT 'a' AS name, value, 0 AS checksum FROM ` + endless,
		"settings":        `DROP TABLE settings; CREATE VIEW settings AS SELECT 'a' AS name, value, 0 AS checksum FROM ` + endless,
		"a trigger":       `CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM documents; END`,
		"an index":        `CREATE INDEX i ON documents (length(text))`,
		"a virtual table": `DROP TABLE notes; CREATE VIRTUAL TABLE notes USING fts5(name, value, checksum)`,
		"another table":   `CREATE TABLE more (a)`,
		"a column":        `ALTER TABLE notes ADD COLUMN c GENERATED ALWAYS AS (hex(value)) VIRTUAL`,
	} {
		t.Run(name, func(t *testing.T) {
			hostile := copyOf(t, dir)
			db, err := sql.Open("sqlite", filepath.Join(hostile, ledgerName))
			must(t, err)
			_, err = db.Exec(statements)
			must(t, errors.Join(err, db.Close()))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for _, o := range []Options{{}, {ReadOnly: true}} {
				if c, err := Open(ctx, hostile, o); err == nil {
					must(t, c.Close())
					t.Errorf("opened with %+v", o)
				} else if !strings.Contains(err.Error(), "which no collection has") {
					t.Errorf("opening with %+v: %v", o, err)
				}
			}
		})
	}
}
