package index

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestSums modifies rows of the ledger directly, in ways that only checksums reveal.
// Verify and reads must report them.
func TestSums(t *testing.T) {
	ctx := t.Context()
	c, _ := filled(t, source(t, 47), Options{Encoder: "some"}, 300)
	must(t, c.SetNotes(ctx, map[string]string{"profile": "sharp", "other": "x"}))
	dir := filepath.Join(t.TempDir(), "sound")
	must(t, c.Backup(ctx, dir))
	expectSound(t, dir)
	open := func(dir string) (*Collection, error) { return Open(ctx, dir, Options{ReadOnly: true}) }
	opens := func(dir string) error {
		c, err := open(dir)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	after := func(f func(c *Collection) error) func(dir string) error {
		return func(dir string) error {
			c, err := open(dir)
			if err != nil {
				return err
			}
			return errors.Join(f(c), c.Close())
		}
	}
	notes := after(func(c *Collection) error { _, err := c.Notes(ctx, "profile"); return err })
	get := after(func(c *Collection) error { _, err := c.Get(ctx, "doc-1", engine.AllParts); return err })
	list := after(func(c *Collection) error {
		_, _, err := c.List(ctx, engine.Page{Limit: 1000, Parts: engine.AllParts})
		return err
	})
	for _, change := range []struct {
		text  string
		reads func(dir string) error // nil: only Verify reports it
	}{
		{`UPDATE settings SET value = 'other' WHERE name = 'encoder'`, opens},
		{`UPDATE settings SET value = 2 WHERE name = 'format'`, opens},
		{`UPDATE settings SET name = 'encode' WHERE name = 'encoder'`, opens},
		{`DELETE FROM settings WHERE name = 'encoder'`, opens},
		{`INSERT INTO settings VALUES ('more', 1, 1)`, opens},
		{`UPDATE state SET generation = generation + 1`, opens},
		{`UPDATE state SET last_ordinal = last_ordinal + 1`, opens},
		{`UPDATE state SET tombstone_sum = tombstone_sum + 1`, opens},
		{`UPDATE state SET document_sum = document_sum + 1`, opens},
		{`UPDATE tombstones SET generation = generation + 1`, opens},
		{`DELETE FROM tombstones WHERE ordinal = (SELECT min(ordinal) FROM tombstones)`, opens},
		{`INSERT INTO tombstones SELECT 1, ordinal FROM documents WHERE id = 'doc-1'`, opens},
		{`UPDATE notes SET value = 'blunt' WHERE name = 'profile'`, notes},
		{`UPDATE notes SET name = 'profiles' WHERE name = 'profile'`, notes},
		{`UPDATE documents SET text = 'other' WHERE id = 'doc-1'`, get},
		{`UPDATE documents SET metadata = '{"year":1}' WHERE id = 'doc-1'`, list},
		{`UPDATE documents SET checksum = checksum + 1 WHERE id = 'doc-1'`, list},
		{`DELETE FROM documents WHERE id = 'doc-1'`, nil},
	} {
		damaged := copyOf(t, dir)
		l, err := openLedger(at(damaged), forWriting)
		must(t, err)
		_, err = l.db.Exec(change.text)
		must(t, errors.Join(err, l.close()))
		if report, err := Verify(ctx, damaged); err != nil || len(report.Damage) == 0 {
			t.Errorf("%s: verify finds %v, %v", change.text, report, err)
		}
		if change.reads == nil {
			continue
		}
		var damage *DamageError
		if err := change.reads(damaged); !errors.As(err, &damage) || damage.File != ledgerName {
			t.Errorf("%s: got error %v, want damage to the ledger", change.text, err)
		}
	}
}

// TestSumsKeptUp: the stored totals match the contents after every operation.
func TestSumsKeptUp(t *testing.T) {
	c := create(t, Options{})
	for n := range 40 {
		must(t, operationAt(n).run(t.Context(), c))
		got, err := readTotals(t.Context(), c.ledger.db)
		must(t, err)
		if got != c.current.totals {
			t.Fatalf("after operation %d the ledger has %+v, and says %+v", n, got, c.current.totals)
		}
	}
}
