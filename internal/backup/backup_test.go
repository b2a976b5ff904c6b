package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// documents returns n documents of a version, numbered from from.
func documents(from, n, version int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := make([]float32, 16)
		v[(from+i)%16], v[version%16] = 1, 2
		docs[i] = engine.Document{
			ID: fmt.Sprint("doc-", from+i), Text: fmt.Sprintf("version %d of document %d", version, from+i), Vector: v,
			Metadata: fmt.Appendf(nil, `{"version":%d}`, version),
		}
	}
	return docs
}

func collection(t *testing.T) *index.Collection {
	t.Helper()
	c, err := index.Create(t.Context(), filepath.Join(t.TempDir(), "notes"), index.Options{Dimension: 16, Encoder: "test"})
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

func repository(t *testing.T, address string) *Repository {
	t.Helper()
	r, err := Open(address)
	must(t, err)
	r.piece, r.small = 4<<10, 4<<10 // give small collections many pieces
	return r
}

// expect restores a backup and compares its documents with want.
func expect(t *testing.T, r *Repository, id ID, want []engine.Document) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "restored")
	m, err := r.RestoreNew(t.Context(), id, dir)
	must(t, err)
	c, err := index.Open(t.Context(), dir, index.Options{Encoder: "test"})
	must(t, err)
	defer func() { must(t, c.Close()) }()
	if size, err := c.Size(t.Context()); err != nil || size.Documents != len(want) || m.Documents != len(want) {
		t.Errorf("%s has %d documents, its manifest says %d, want %d: %v", id, size.Documents, m.Documents, len(want), err)
	}
	for _, d := range want {
		if got, err := c.Get(t.Context(), d.ID, engine.AllParts); err != nil || got.Text != d.Text {
			t.Errorf("%s: %s is %q, %v", id, d.ID, got.Text, err)
		}
	}
	must(t, c.Upsert(t.Context(), documents(0, 1, 9)))
}

func TestBackup(t *testing.T) {
	inPlaces(t, func(t *testing.T, address string, file func(string) string) {
		ctx := t.Context()
		c, r := collection(t), repository(t, address)
		must(t, c.Upsert(ctx, documents(0, 600, 1)))
		first, err := r.Make(ctx, "notes", c)
		must(t, err)
		must(t, c.Upsert(ctx, documents(600, 3, 1)))
		second, err := r.Make(ctx, "notes", c)
		must(t, err)
		unchanged, err := r.Make(ctx, "notes", c)
		must(t, err)
		other := collection(t)
		must(t, other.Upsert(ctx, documents(0, 3, 7)))
		third, err := r.Make(ctx, "a name/with a slash", other)
		must(t, err)
		if first.Added < 30 || second.Added == 0 || second.Added > first.Added/2 || unchanged.Added != 0 {
			t.Errorf("added %d, %d and %d pieces", first.Added, second.Added, unchanged.Added)
		}
		expect(t, r, first.ID, documents(0, 600, 1))
		expect(t, r, second.ID, documents(0, 603, 1))
		expect(t, r, third.ID, documents(0, 3, 7))

		if _, err := r.Choose(ctx, "", ""); err == nil || !strings.Contains(err.Error(), "--of") {
			t.Errorf("of two collections: %v", err)
		}
		if id, err := r.Choose(ctx, "", "a name/with a slash"); err != nil || id != third.ID {
			t.Errorf("chosen: %s, %v", id, err)
		}
		if _, err := r.Choose(ctx, "", "nobody"); err == nil || !strings.Contains(err.Error(), "no backup of nobody") {
			t.Error(err)
		}
		report, err := r.Verify(ctx, "")
		if err != nil || report.Backups != 4 || len(report.Damage) != 0 || report.Pieces != first.Added+second.Added+third.Added {
			t.Errorf("verified: %+v, %v", report, err)
		}

		// A flipped bit in a piece is detected, and nothing is restored.
		damaged := first.Files[3].Pieces[0]
		content, err := os.ReadFile(file(damaged.name()))
		must(t, err)
		content[len(content)/2] ^= 1
		must(t, os.WriteFile(file(damaged.name()), content, 0o600))
		dir := filepath.Join(t.TempDir(), "restored")
		if _, err := r.RestoreNew(ctx, first.ID, dir); err == nil || !strings.Contains(err.Error(), damaged.String()) {
			t.Errorf("restored from a damaged piece: %v", err)
		}
		if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if report, err = r.Verify(ctx, "notes"); err != nil || len(report.Damage) == 0 || !strings.Contains(report.Damage[0], damaged.String()) {
			t.Errorf("verified after a flip: %+v, %v", report, err)
		}
		// So are a damaged manifest and a missing piece.
		must(t, os.Remove(file(third.Files[0].Pieces[0].name())))
		if _, err := r.RestoreNew(ctx, third.ID, dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("restored without a piece: %v", err)
		}
		manifest := file(second.ID.name(manifestsFolder))
		content, err = os.ReadFile(manifest)
		must(t, err)
		content = []byte(strings.Replace(string(content), `"documents":603`, `"documents":604`, 1))
		must(t, os.WriteFile(manifest, content, 0o600))
		if _, err := r.RestoreNew(ctx, second.ID, dir); !errors.As(err, new(*DamageError)) {
			t.Errorf("restored by a damaged manifest: %v", err)
		}
		if report, err = r.Verify(ctx, ""); err != nil || len(report.Damage) < 3 {
			t.Errorf("verified: %+v, %v", report, err)
		}
	})
}

func TestRestoreTakesNothingsPlace(t *testing.T) {
	ctx, c := t.Context(), collection(t)
	r := repository(t, filepath.Join(t.TempDir(), "b"))
	made, err := r.Make(ctx, "notes", c)
	must(t, err)
	dir := t.TempDir()
	if _, err := r.RestoreNew(ctx, made.ID, dir); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Error(err)
	}
	if _, err := r.RestoreNew(ctx, newID("notes", time.Now()), filepath.Join(dir, "x")); err == nil || !strings.Contains(err.Error(), "there is no backup") {
		t.Error(err)
	}
}

// TestMakeWhileWriting: a writer keeps replacing all documents; every backup has
// documents of one version, also during compactions.
func TestMakeWhileWriting(t *testing.T) {
	ctx, c := t.Context(), collection(t)
	r := repository(t, filepath.Join(t.TempDir(), "b"))
	must(t, c.Upsert(ctx, documents(0, 50, 0)))
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for version := 1; ; version++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			err := c.Upsert(ctx, documents(0, 50, version))
			if err == nil && version%5 == 0 {
				err = c.Compact(ctx)
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 8 {
		made, err := r.Make(ctx, "notes", c)
		must(t, err)
		dir := filepath.Join(t.TempDir(), "restored")
		_, err = r.RestoreNew(ctx, made.ID, dir)
		must(t, err)
		restored, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
		must(t, err)
		docs, _, err := restored.List(ctx, engine.Page{Limit: 100, Parts: engine.Metadata})
		must(t, err)
		for _, d := range docs {
			if len(docs) != 50 || string(d.Metadata) != string(docs[0].Metadata) {
				t.Fatalf("%d documents, of %s and %s", len(docs), d.Metadata, docs[0].Metadata)
			}
		}
		must(t, restored.Close())
	}
	close(stop)
	must(t, <-ended)
}

// broken passes on the files of a collection, and calls a function before the last.
type broken struct {
	*index.Collection
	before func() error
}

func (b broken) Files(ctx context.Context, give func(index.Stats, index.File) error) error {
	n := 0
	return b.Collection.Files(ctx, func(s index.Stats, f index.File) error {
		if n++; n == 7 {
			if err := b.before(); err != nil {
				return err
			}
		}
		return give(s, f)
	})
}

// TestBreaksOff: an interrupted backup leaves no manifest, and the next reuses its
// pieces.
func TestBreaksOff(t *testing.T) {
	ctx, c := t.Context(), collection(t)
	r := repository(t, filepath.Join(t.TempDir(), "b"))
	must(t, c.Upsert(ctx, documents(0, 500, 0)))
	failure := errors.New("the disk is gone")
	if _, err := r.Make(ctx, "notes", broken{c, func() error { return failure }}); !errors.Is(err, failure) {
		t.Errorf("broken off: %v", err)
	}
	if ids, err := r.IDs(ctx, ""); err != nil || len(ids) != 0 {
		t.Errorf("left behind: %v, %v", ids, err)
	}
	made, err := r.Make(ctx, "notes", c)
	if err != nil || made.Added == 0 || made.Added > 3 {
		t.Errorf("the next adds %d pieces, %v", made.Added, err)
	}
	expect(t, r, made.ID, documents(0, 500, 0))
	slow := *r
	calls := 0
	slow.Now = func() time.Time { calls++; return time.Now().Add(time.Duration(calls) * grace) }
	if _, err := slow.Make(ctx, "notes", c); err == nil || !strings.Contains(err.Error(), "the limit of 12h") {
		t.Errorf("a backup that takes days: %v", err)
	}
}
