package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// soundCopy creates a collection with some deleted documents, closes it, and returns its
// directory and contents.
func soundCopy(t *testing.T, r *rand.Rand) (dir string, want map[string]engine.Document) {
	t.Helper()
	c, want := filled(t, r, Options{}, 300)
	dir = filepath.Join(t.TempDir(), "sound")
	must(t, c.Backup(t.Context(), dir))
	return dir, want
}

// copyOf returns a copy of a directory.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// TestDamage flips bytes in every file and truncates every file, at random places. Verify
// must name the file, the place and the documents, and nothing may panic.
func TestDamage(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	r := source(t, 12)
	dir, want := soundCopy(t, r)
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	s, lengths := c.current, c.lengths(c.current.state)
	for k := range fileKinds {
		name := c.fileName(k, s.epoch)
		for range rounds {
			at := r.Int64N(lengths[k])
			t.Run(fmt.Sprintf("flip/%s/%d", name, at), func(t *testing.T) {
				damaged := copyOf(t, dir)
				flip(t, filepath.Join(damaged, name), at, byte(1+r.IntN(255)))
				expectNamed(t, damaged, name, at, s, k, want)
			})
			t.Run(fmt.Sprintf("cut/%s/%d", name, at), func(t *testing.T) {
				damaged := copyOf(t, dir)
				must(t, os.Truncate(filepath.Join(damaged, name), at))
				expectNamed(t, damaged, name, at, s, k, want)
				expectOpenFails(t, damaged)
			})
		}
		t.Run("missing/"+name, func(t *testing.T) {
			damaged := copyOf(t, dir)
			must(t, os.Remove(filepath.Join(damaged, name)))
			expectNamed(t, damaged, name, 0, s, k, want)
			if _, err := Open(t.Context(), damaged, Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("opening without %s: got error %v, want os.ErrNotExist", name, err)
			}
		})
	}
	must(t, c.Close())
}

func flip(t *testing.T, path string, at int64, with byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	b[at] ^= with
	must(t, os.WriteFile(path, b, 0o666))
}

func expectOpenFails(t *testing.T, dir string) {
	t.Helper()
	var damage *DamageError
	if _, err := Open(t.Context(), dir, Options{}); !errors.As(err, &damage) {
		t.Errorf("opening what is cut: got error %v, want a *DamageError", err)
	}
}

// expectNamed expects Verify to report damage to a file that covers a position, with the
// live document there, if any.
func expectNamed(t *testing.T, dir, name string, at int64, s *snapshot, k fileKind, want map[string]engine.Document) {
	t.Helper()
	report, err := Verify(t.Context(), dir)
	must(t, err)
	var id string
	for slot := range s.slots {
		if part := s.spans(s.shape, slot)[k]; part.offset <= at && at < part.offset+int64(part.length) && !s.dead.has(slot) {
			id = s.id(slot)
		}
	}
	if _, ok := want[id]; id != "" && !ok {
		t.Fatalf("got %s, want only documents of the collection", id)
	}
	covered, named := false, id == ""
	for _, d := range report.Damage {
		covered = covered || d.File == name && d.Offset <= at && at < d.Offset+d.Length
		named = named || slices.Contains(d.Documents, id)
		if d.String() == "" {
			t.Error("damage without words")
		}
	}
	if !covered || !named {
		t.Errorf("%s at %d, document %q: got covered %v and named %v by %v, want both", name, at, id, covered, named, report.Damage)
	}
	// Open may succeed if only a full read finds the damage.
	if c, err := Open(context.Background(), dir, Options{}); err == nil {
		_, err = c.Scan(context.Background(), randomVectors(rand.New(rand.NewPCG(1, 1)), 1), nil)
		must(t, err)
		must(t, c.Close())
	}
}

// TestDamagedLedger flips bytes in the ledger and truncates it: the damage is found, or
// did not affect any data.
func TestDamagedLedger(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	r := source(t, 13)
	dir, want := soundCopy(t, r)
	info, err := os.Stat(filepath.Join(dir, ledgerName))
	must(t, err)
	found := 0
	for round := range rounds {
		damaged := copyOf(t, dir)
		path := filepath.Join(damaged, ledgerName)
		at := r.Int64N(info.Size())
		if round%4 == 0 {
			must(t, os.Truncate(path, at))
		} else {
			flip(t, path, at, byte(1+r.IntN(255)))
		}
		report, err := Verify(t.Context(), damaged)
		c, openErr := Open(t.Context(), damaged, Options{})
		if err != nil || len(report.Damage) > 0 {
			found++
			if err == nil && report.Damage[0].File == "" {
				t.Errorf("round %d, at %d: got damage without a file: %v", round, at, report.Damage)
			}
		} else if openErr != nil {
			t.Errorf("round %d, at %d: got nothing from Verify and error %v from Open, want both or none", round, at, openErr)
		} else {
			expectDocuments(t, c, want)
		}
		if openErr == nil {
			_, _ = c.Get(t.Context(), "doc-1", engine.AllParts)
			_ = c.Upsert(t.Context(), []engine.Document{{ID: "new", Vector: randomVector(r, testDim)}})
			_ = c.Close()
		}
	}
	t.Logf("%d of %d found, the others harmless", found, rounds)
}

// TestCrossReferences modifies the ledger directly.
func TestCrossReferences(t *testing.T) {
	dir, _ := soundCopy(t, source(t, 14))
	for _, change := range []string{
		`DELETE FROM documents WHERE id = 'doc-1'`,
		`DELETE FROM tombstones`,
		`INSERT INTO tombstones SELECT 99, ordinal FROM documents WHERE id = 'doc-1'`,
		`INSERT INTO tombstones VALUES (99, 123456)`,
		`UPDATE documents SET text = 'other' WHERE id = 'doc-1'`,
		`UPDATE documents SET metadata = NULL WHERE id = 'doc-1'`,
		`UPDATE documents SET id = 'other' WHERE id = 'doc-1'`,
		`UPDATE documents SET ordinal = 123456 WHERE id = 'doc-1'`,
		`DELETE FROM entries WHERE ordinal = (SELECT ordinal FROM documents WHERE id = 'doc-1') AND field = 'year'`,
		`INSERT INTO entries SELECT 'year', 1.0, ordinal, '1' FROM documents WHERE id = 'doc-1'`,
		`UPDATE entries SET value = CAST(value AS BLOB) WHERE field = 'tag' AND ordinal = (SELECT ordinal FROM documents WHERE id = 'doc-1')`,
		`UPDATE state SET rows = rows - 1`,
		`UPDATE state SET slots = slots - 1`,
		`UPDATE state SET slots = 1000000`,
		`UPDATE state SET slots = 4000000000, rows = 4000000000, id_bytes = 1 << 60, last_ordinal = 4000000000`,
		`UPDATE state SET epoch = -1`,
		`UPDATE state SET last_ordinal = 1 << 40`,
		`UPDATE state SET slots = -1`,
		`UPDATE state SET id_bytes = id_bytes - 1`,
		`UPDATE state SET word_pieces = word_pieces - 1`,
		`UPDATE state SET word_pieces = -1`,
		`UPDATE state SET word_pieces = 1 << 62`,
		`UPDATE state SET word_pieces = word_pieces + 1`,
		`ALTER TABLE state DROP COLUMN word_pieces`,
		`UPDATE settings SET value = 1 WHERE name = 'format'`,
		`UPDATE settings SET value = 20 WHERE name = 'dimension'`,
		`UPDATE settings SET value = 'x' WHERE name = 'dimension'`,
		`UPDATE settings SET value = 'x' WHERE name = 'metric'`,
		`UPDATE settings SET value = 0 WHERE name = 'format'`,
		`DELETE FROM state`,
		`DROP TABLE documents`,
	} {
		damaged := copyOf(t, dir)
		l, err := openLedger(at(damaged), forWriting)
		must(t, err)
		_, err = l.db.Exec(change)
		must(t, err)
		must(t, l.close())
		report, err := Verify(t.Context(), damaged)
		if err == nil && len(report.Damage) == 0 {
			t.Errorf("%s: got no damage, want some", change)
		}
		if c, err := Open(t.Context(), damaged, Options{}); err == nil {
			_, _ = c.Get(t.Context(), "doc-1", engine.AllParts)
			_ = c.Close()
		}
	}
}

// TestLeftovers checks that the remains of an unfinished batch or Compact are removed.
func TestLeftovers(t *testing.T) {
	dir, want := soundCopy(t, source(t, 15))
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	s := c.current
	var sizes [fileKinds]int64
	for k := range fileKinds {
		f, err := os.OpenFile(filepath.Join(dir, c.fileName(k, s.epoch)), os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		_, err = f.Write(bytes.Repeat([]byte{0xAB}, 12345))
		must(t, errors.Join(err, f.Close()))
		sizes[k] = c.lengths(s.state)[k]
		must(t, os.WriteFile(filepath.Join(dir, c.fileName(k, s.epoch+1)), []byte("half"), 0o666))
	}
	expectSound(t, dir)
	expectDocuments(t, c, want)
	writer, err := Open(t.Context(), dir, Options{})
	must(t, err)
	for k := range fileKinds {
		info, err := os.Stat(filepath.Join(dir, c.fileName(k, s.epoch)))
		must(t, err)
		if info.Size() != sizes[k] {
			t.Errorf("%s has %d bytes, want %d", info.Name(), info.Size(), sizes[k])
		}
		if _, err := os.Stat(filepath.Join(dir, c.fileName(k, s.epoch+1))); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: got error %v, want it removed", c.fileName(k, s.epoch+1), err)
		}
	}
	expectDocuments(t, writer, want)
	must(t, errors.Join(writer.Close(), c.Close()))
}

// TestTornLog truncates the ledger's log at random bytes, as a power failure may: the
// result is the collection after one of its commits, and later bytes of the files are
// ignored.
func TestTornLog(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	r := source(t, 22)
	c := restless(create(t, Options{}))
	models := map[int64]map[string]engine.Document{}
	model := map[string]engine.Document{}
	for range 25 {
		docs := randomDocuments(r, 1+r.IntN(10), testDim)
		must(t, c.Upsert(t.Context(), docs))
		for _, d := range docs {
			model[d.ID] = d
		}
		models[c.current.generation] = maps.Clone(model)
	}
	torn := filepath.Join(t.TempDir(), "torn")
	must(t, os.CopyFS(torn, os.DirFS(c.dir)))
	log := ledgerName + "-wal"
	info, err := os.Stat(filepath.Join(torn, log))
	must(t, err)
	must(t, os.Remove(filepath.Join(torn, ledgerName+"-shm")))
	seen := map[int64]bool{}
	for range rounds {
		dir := copyOf(t, torn)
		must(t, os.Truncate(filepath.Join(dir, log), info.Size()/4+r.Int64N(info.Size()*3/4)))
		expectSound(t, dir)
		again, err := Open(t.Context(), dir, Options{})
		must(t, err)
		s, err := again.Stats(t.Context())
		must(t, err)
		seen[s.Generation] = true
		expectDocuments(t, again, models[s.Generation]) // empty before the first commit
		must(t, again.Close())
	}
	if len(seen) < 3 {
		t.Errorf("got the generations %v, want at least 3", seen)
	}
}

// FuzzTable checks that check finds everything that would make a table unsafe.
func FuzzTable(f *testing.F) {
	var b [2 * recordSize]byte
	first := record{ordinal: 3, rows: 2, idLength: 2, pieces: 4}
	first.encode(b[:])
	second := record{ordinal: 4, first: 2, rows: 1, idOffset: 2, idLength: 3, firstPiece: 4, pieces: 1}
	second.encode(b[recordSize:])
	f.Add(b[:], []byte("abcde"), 3, 5)
	f.Add(b[:recordSize], []byte("ab"), 2, 4)
	f.Add([]byte{}, []byte{}, 0, 0)
	f.Fuzz(func(t *testing.T, records, ids []byte, rows, pieces int) {
		tab := table{records[:len(records)/recordSize*recordSize], ids, rows, int64(len(ids)), int64(max(pieces, 0))}
		checkTable(t, tab)
		// Give the random bytes valid checksums.
		tab.records = slices.Clone(tab.records)
		for slot := range tab.size() {
			b := tab.bytes(slot)
			binary.LittleEndian.PutUint32(b[recordSize-sumSize:], checksum(b[:recordSize-sumSize]))
		}
		checkTable(t, tab)
	})
}

// checkTable expects the part of a table that passes check to be safe.
func checkTable(t *testing.T, tab table) {
	sound, _ := tab.check(0)
	for slot := range sound {
		r := tab.at(slot)
		if tab.end(slot) > tab.endRow || tab.rowsOf(slot) < 1 || len(tab.id(slot)) != int(r.idLength) ||
			r.firstPiece > uint64(tab.endPiece) || r.firstPiece+uint64(r.pieces) > uint64(tab.endPiece) {
			t.Fatalf("got %+v through the check, want it rejected", r)
		}
		part := tab
		part.records = tab.records[:sound*recordSize]
		if at, ok := part.find(r.ordinal); !ok || at != slot {
			t.Fatalf("ordinal %d: got it at %d, want it at %d", r.ordinal, at, slot)
		}
	}
}
