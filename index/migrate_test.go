package index

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// oldCollection returns a collection written by the last version that used a format, with
// one document deleted and one replaced.
func oldCollection(t *testing.T, format int) (dir string, want map[string]engine.Document) {
	t.Helper()
	archive, err := zip.OpenReader(filepath.Join("testdata", fmt.Sprintf("format%d.zip", format)))
	must(t, err)
	dir = filepath.Join(t.TempDir(), "old")
	must(t, errors.Join(os.CopyFS(dir, archive), archive.Close()))
	axis := func(i int) []float32 {
		v := make([]float32, 8)
		v[i%8], v[(i+3)%8] = 1, 0.5
		return v
	}
	want = map[string]engine.Document{}
	for _, d := range []engine.Document{
		{ID: "park", Title: "A walk", Text: "Dogs without a leash in the park. There is no lift.", Vector: axis(3), Metadata: []byte(`{"year":1999}`)},
		{ID: "empty", Vector: axis(4)},
		{ID: "cake", Title: "Cake", Text: "A nut-free cake. Bake it for an hour.", Vector: axis(5), Passages: []engine.Passage{
			{Text: "A nut-free cake.", Vector: axis(6)}, {Text: "Bake it for an hour.", Vector: axis(7)}}},
		{ID: "old", Title: "New words", Text: "Incomprehensibilities of a lighthouse.", Vector: axis(8), Metadata: []byte(`{"year":2001}`)},
	} {
		want[d.ID] = d
	}
	return dir, want
}

// oldRecord encodes a record in format 1.
func oldRecord(r record) []byte {
	var b [recordSize]byte
	r.encode(b[:])
	const sum = oldRecordSize - sumSize
	return binary.LittleEndian.AppendUint32(slices.Clone(b[:sum]), checksum(b[:sum]))
}

// age converts a closed collection to format 1.
func age(t *testing.T, dir string) {
	t.Helper()
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	var records []byte
	for slot := range c.current.slots {
		records = append(records, oldRecord(c.current.at(slot))...)
	}
	names := [fileKinds]string{}
	for k := range fileKinds {
		names[k] = filepath.Join(dir, c.fileName(k, c.current.epoch))
	}
	must(t, c.Close())
	must(t, os.WriteFile(names[fileDocs], records, 0o666))
	must(t, os.Remove(names[fileWords]))
	unsum(t, dir)
	l, err := openLedger(at(dir), forWriting)
	must(t, err)
	_, err = l.db.Exec(`ALTER TABLE state DROP COLUMN word_pieces; UPDATE settings SET value = 1 WHERE name = 'format'`)
	must(t, errors.Join(err, l.close()))
}

// unsum converts a closed collection to format 2.
func unsum(t *testing.T, dir string) {
	t.Helper()
	l, err := openLedger(at(dir), forWriting)
	must(t, err)
	_, err = l.db.Exec(`ALTER TABLE settings DROP COLUMN checksum; ALTER TABLE means DROP COLUMN checksum;
		ALTER TABLE notes DROP COLUMN checksum; ALTER TABLE state DROP COLUMN checksum;
		ALTER TABLE state DROP COLUMN tombstone_sum; ALTER TABLE state DROP COLUMN document_sum;
		UPDATE settings SET value = 2 WHERE name = 'format'`)
	must(t, errors.Join(err, l.close()))
}

// oldCollections runs do on several collections of format 1.
func oldCollections(t *testing.T, seed uint64, do func(t *testing.T, dir string, want map[string]engine.Document)) {
	t.Run("stored", func(t *testing.T) {
		dir, want := oldCollection(t, 1)
		do(t, dir, want)
	})
	for _, codes := range []Codes{Int8, Signs} {
		t.Run(codes.String(), func(t *testing.T) {
			dir, want := soundCopy(t, source(t, seed), codes)
			age(t, dir)
			do(t, dir, want)
		})
	}
	t.Run("empty", func(t *testing.T) {
		c := create(t, Options{Codes: Signs})
		must(t, c.Close())
		age(t, c.dir)
		do(t, c.dir, nil)
	})
}

// formatOf returns the format stored in the ledger.
func formatOf(t *testing.T, dir string) int {
	t.Helper()
	l, err := openLedger(at(dir), forReading)
	must(t, err)
	st, err := l.readState(t.Context(), l.db)
	must(t, errors.Join(err, l.close()))
	return st.format
}

// expectReadable opens a collection of any format read-only and checks everything.
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

// migrated opens a collection for writing and expects the newest format, without remains
// of the old one.
func migrated(t *testing.T, dir string, want map[string]engine.Document) {
	t.Helper()
	c, err := Open(t.Context(), dir, Options{})
	must(t, err)
	expectDocuments(t, c, want)
	must(t, c.Close())
	expectSound(t, dir)
	if format := formatOf(t, dir); format != FormatVersion {
		t.Errorf("the collection has format %d", format)
	}
	if left := flatFiles(t, dir); len(left) != int(fileKinds) {
		t.Errorf("flat files left: %q", left)
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

// TestMigrate reads collections of format 1, then writes to them.
func TestMigrate(t *testing.T) {
	oldCollections(t, 31, func(t *testing.T, dir string, want map[string]engine.Document) {
		ctx := t.Context()
		before, err := Open(ctx, dir, Options{ReadOnly: true})
		must(t, err)
		expectReadable(t, dir, want)
		if before.current.hasWords() || before.current.pieces(0) != nil {
			t.Error("format 1 has words")
		}
		ordinals := map[string]engine.Ref{}
		for id := range want {
			ordinals[id], err = before.Find(ctx, id)
			must(t, err)
		}
		notes, err := before.Notes(ctx, "")
		must(t, err)
		dimension := before.dim
		backup := filepath.Join(t.TempDir(), "backup")
		must(t, errors.Join(before.Backup(ctx, backup), before.Close()))
		if n := len(flatFiles(t, backup)); n != int(fileWords) || formatOf(t, backup) != 1 {
			t.Errorf("the copy has format %d and %d files", formatOf(t, backup), n)
		}
		expectReadable(t, backup, want)
		migrated(t, backup, want)

		migrated(t, dir, want)
		expectReadable(t, dir, want)
		c, err := Open(ctx, dir, Options{})
		must(t, err)
		s, err := c.Stats(ctx)
		must(t, err)
		if s.Deleted != 0 {
			t.Errorf("%d deleted documents are left", s.Deleted)
		}
		for id, old := range ordinals {
			if now, err := c.Find(ctx, id); err != nil || now != old {
				t.Errorf("%s has ordinal %v, had %v, %v", id, now, old, err)
			}
		}
		if now, err := c.Notes(ctx, ""); err != nil || !maps.Equal(now, notes) {
			t.Errorf("notes %v, want %v, %v", now, notes, err)
		}
		more := maps.Clone(want)
		if more == nil {
			more = map[string]engine.Document{}
		}
		for _, d := range randomDocuments(source(t, 32), 20, dimension) {
			must(t, c.Upsert(ctx, []engine.Document{d}))
			more[d.ID] = d
		}
		expectDocuments(t, c, more)
		must(t, c.Compact(ctx))
		expectDocuments(t, c, more)
		must(t, c.Close())
		expectReadable(t, dir, more)
	})
}

// TestMigrateBesideReader: a reader of format 1 sees the words once a writer has migrated
// the collection, and the data it holds stays valid.
func TestMigrateBesideReader(t *testing.T) {
	oldCollections(t, 33, func(t *testing.T, dir string, want map[string]engine.Document) {
		ctx := t.Context()
		reader, err := Open(ctx, dir, Options{ReadOnly: true})
		must(t, err)
		held, err := reader.acquire(ctx)
		must(t, err)
		migrated(t, dir, want)
		for slot := range held.slots {
			if d, ok := want[held.id(slot)]; ok && !held.dead.has(slot) {
				must(t, sameDirection(d.Vector, held.row(slot, 0)))
			}
		}
		if held.hasWords() {
			t.Error("a snapshot of format 1 has words")
		}
		reader.release(held)
		expectDocuments(t, reader, want)
		if s := reader.current; !s.hasWords() {
			t.Error("the reader sees no words")
		}
		backup := filepath.Join(t.TempDir(), "backup")
		must(t, errors.Join(reader.Backup(ctx, backup), reader.Close()))
		expectReadable(t, backup, want)
		if formatOf(t, backup) != FormatVersion {
			t.Error("the copy is of the old format")
		}
	})
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

// TestMigrationSteps adds the files of a finished migration to a collection of format 1,
// one by one and truncated anywhere: until the ledger commits, the collection is
// unchanged and the next writer starts over.
func TestMigrationSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, and has one goroutine")
	}
	r := source(t, 34)
	oldCollections(t, 34, func(t *testing.T, dir string, want map[string]engine.Document) {
		whole := copyOf(t, dir)
		migrated(t, whole, want)
		written := flatFiles(t, whole)
		for i, name := range written {
			b, err := os.ReadFile(filepath.Join(whole, name))
			must(t, err)
			for _, n := range []int{r.IntN(len(b) + 1), len(b)} {
				half := copyOf(t, dir)
				for j, other := range written {
					part := b[:n]
					if j < i {
						part, err = os.ReadFile(filepath.Join(whole, other))
						must(t, err)
					} else if j > i {
						part = nil
					}
					must(t, os.WriteFile(filepath.Join(half, other), part, 0o666))
				}
				expectReadable(t, half, want)
				if formatOf(t, half) != 1 {
					t.Error("the format belongs to uncommitted files")
				}
				migrated(t, half, want)
			}
		}
		// Committed, but some or all files of format 1 still exist.
		for _, name := range flatFiles(t, dir) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(whole, name), b, 0o666))
			expectReadable(t, whole, want)
		}
		migrated(t, whole, want)
	})
}

// TestTornMigration truncates the ledger's log at random bytes, with the files of both
// formats present: the result is intact, in one of the formats.
func TestTornMigration(t *testing.T) {
	rounds := 15
	if testing.Short() {
		rounds = 5
	}
	r := source(t, 35)
	formats := map[int]int{}
	oldCollections(t, 35, func(t *testing.T, dir string, want map[string]engine.Document) {
		working := copyOf(t, dir)
		c, err := Open(t.Context(), working, Options{})
		must(t, err)
		torn := copyOf(t, working)
		must(t, c.Close())
		for _, name := range flatFiles(t, dir) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(torn, name), b, 0o666))
		}
		must(t, os.Remove(filepath.Join(torn, ledgerName+"-shm")))
		log := ledgerName + "-wal"
		info, err := os.Stat(filepath.Join(torn, log))
		must(t, err)
		for round := range rounds {
			length := info.Size()
			if round > 0 {
				length = r.Int64N(info.Size())
			}
			half := copyOf(t, torn)
			must(t, os.Truncate(filepath.Join(half, log), length))
			expectReadable(t, half, want)
			formats[formatOf(t, half)]++
			migrated(t, half, want)
		}
	})
	if len(formats) != 2 {
		t.Errorf("of formats %v only", formats)
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
	done chan struct{}
}

func (c *countdown) Done() <-chan struct{} { return c.done }

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return context.Canceled
	}
	if c.left--; c.left == 0 {
		close(c.done)
	}
	return nil
}

// TestCancelMigration cancels a migration at each check of its context, or at a sample of
// them.
func TestCancelMigration(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, and has one goroutine")
	}
	oldCollections(t, 36, func(t *testing.T, dir string, want map[string]engine.Document) {
		files := flatFiles(t, dir)
		for steps := 1; ; steps += 1 + len(want)/20 {
			c, err := Open(&countdown{Context: t.Context(), left: steps, done: make(chan struct{})}, dir, Options{})
			if err == nil {
				must(t, c.Close())
				t.Logf("%d steps", steps)
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("after %d steps: %v", steps, err)
			}
			if formatOf(t, dir) == FormatVersion {
				continue // cancelled after its commit
			}
			if left := flatFiles(t, dir); !slices.Equal(left, files) {
				t.Errorf("after %d steps there are %q", steps, left)
			}
			expectReadable(t, dir, want)
			if t.Failed() {
				t.FailNow()
			}
		}
		migrated(t, dir, want)
	})
}

// TestMigrateDamaged: if data needed by a migration is missing, the error names the
// document.
func TestMigrateDamaged(t *testing.T) {
	dir, want := oldCollection(t, 1)
	l, err := openLedger(at(dir), forWriting)
	must(t, err)
	_, err = l.db.Exec(`DELETE FROM documents WHERE id = 'park'`)
	must(t, errors.Join(err, l.close()))
	_, err = Open(t.Context(), dir, Options{})
	if err == nil || formatOf(t, dir) != 1 {
		t.Errorf("migrating a damaged collection: %v", err)
	}
	if text := fmt.Sprintf("opening %s: migrating from format 1 to 3: document \"park\" is in the files but not in the ledger; run nsfl verify", dir); err != nil && err.Error() != text {
		t.Errorf("it says %q, want %q", err, text)
	}
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	delete(want, "park")
	for id := range want {
		if _, err := c.Get(t.Context(), id, engine.AllParts); err != nil {
			t.Error(err)
		}
	}
	must(t, c.Close())
}
