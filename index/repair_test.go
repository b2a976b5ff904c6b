//go:build unix

package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestRoots checks the root pages of the ledger's tables, which repair assumes.
func TestRoots(t *testing.T) {
	backup, _ := soundCopy(t, source(t, 61))
	for _, dir := range []string{backup, create(t, Options{}).dir} {
		l, err := openLedger(at(dir), forReading)
		must(t, err)
		roots := map[string]int{}
		var name string
		var root int
		must(t, eachRow(t.Context(), l.db, []any{&name, &root}, func() { roots[name] = root }, `SELECT name, rootpage FROM sqlite_schema`))
		must(t, l.close())
		for name, root := range map[string]int{"settings": rootSettings, "state": rootState, "documents": rootDocuments, "tombstones": rootTombstones, "notes": rootNotes} {
			if roots[name] != root {
				t.Errorf("the root of %s is %d, want %d", name, roots[name], root)
			}
		}
	}
}

// repaired repairs a collection and expects its contents, except for reported losses. It
// returns the report and the texts.
func repaired(t *testing.T, dir, to string, held model) (*Repaired, []engine.Document) {
	t.Helper()
	before := bytesIn(t, dir)
	var texts []engine.Document
	r, err := Repair(t.Context(), dir, to, func(d engine.Document, _ string) error {
		texts = append(texts, d)
		return nil
	})
	must(t, err)
	if after := bytesIn(t, dir); after != before {
		t.Error("the damaged collection was changed")
	}
	c, err := Open(t.Context(), to, Options{})
	must(t, err)
	left := model{}.after(operation{})
	for after := ""; ; {
		docs, last, err := c.List(t.Context(), engine.Page{After: after, Limit: 100, Parts: engine.AllParts})
		must(t, err)
		if len(docs) == 0 {
			break
		}
		for _, d := range docs {
			stored, ok := held.documents[d.ID]
			if back := strings.Contains(fmt.Sprint(r.Lost), "may be back"); !ok && !back {
				t.Errorf("there is %q, which was not", d.ID)
			} else if !ok {
				continue
			} else if err := sameDocument(stored, d); err != nil {
				t.Error(err)
			}
			left.documents[d.ID] = d
		}
		after = last
	}
	for _, d := range texts {
		stored, ok := held.documents[d.ID]
		if !ok || stored.Text != d.Text || len(stored.Passages) != len(d.Passages) {
			t.Errorf("the text of %q has changed", d.ID)
		}
		left.documents[d.ID] = d
	}
	lost := 0
	for _, d := range r.Lost {
		lost += max(len(d.Documents), int(d.Length)/recordSize)
	}
	if len(left.documents)+lost < len(held.documents) || r.Documents+r.Texts != len(left.documents) {
		t.Errorf("%d documents and %d texts saved, %d lost, of %d", r.Documents, r.Texts, lost, len(held.documents))
	}
	notes, err := c.Notes(t.Context(), "")
	must(t, errors.Join(err, c.Close()))
	for name, value := range held.notes {
		if notes[name] != value && len(r.Lost) == 0 {
			t.Errorf("note %q is %q, but no loss is reported", name, notes[name])
		}
	}
	return r, texts
}

// bytesIn returns a fingerprint of the contents of a directory.
func bytesIn(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		fmt.Fprintln(&all, e.Name(), len(b), checksum(b))
	}
	return all.String()
}

// flippedModel returns the contents of flippable.
func flippedModel() model {
	m := model{}
	for n := 20; n < 40; n++ {
		m = m.after(operationAt(n))
	}
	return m
}

// TestRepair flips one bit anywhere in a collection and expects to lose at most the
// document that contains it, or clears a sector and expects every loss to be reported.
func TestRepair(t *testing.T) {
	fresh := freshCopies(t)
	total, texts, lost := 0, 0, 0
	for _, closed := range []bool{true, false} {
		r := source(t, 62)
		dir := filepath.Join(t.TempDir(), "c")
		flippable(t, dir, closed)
		bytes := bytesOf(t, dir)
		for round := range rounds(t, 50, 4) {
			at, with := bytes[r.IntN(len(bytes))], byte(1)<<r.IntN(8)
			damaged := fresh()
			must(t, os.CopyFS(damaged, os.DirFS(dir)))
			flips := round%5 < 4
			if flips {
				flip(t, filepath.Join(damaged, at.name), at.offset, with)
			} else {
				clearSector(t, filepath.Join(damaged, at.name), at.offset)
			}
			report, _ := repaired(t, damaged, fresh(), flippedModel())
			n := 0
			for _, d := range report.Lost {
				n += len(d.Documents)
			}
			if flips && (n > 1 || report.Texts > 1 || n > 0 && !strings.HasPrefix(at.name, ledgerName)) {
				t.Errorf("too much is lost: %d texts, %v", report.Texts, report.Lost)
			}
			if t.Failed() {
				t.Fatalf("closed %v, %s at %d, flipped %v by %d", closed, at.name, at.offset, flips, with)
			}
			total, texts, lost = total+1, texts+report.Texts, lost+n
		}
	}
	t.Logf("%d documents without vectors, %d lost", texts, lost)
	if !t.Failed() {
		t.Logf("torture: %8d repairs of a flip or a sector; lost beyond it: 0", total)
	}
}

// TestRepairMuch tests many flips, missing parts of files, and missing files.
func TestRepairMuch(t *testing.T) {
	held := flippedModel()
	dir := filepath.Join(t.TempDir(), "c")
	flippable(t, dir, true)
	all := len(held.documents)
	for _, test := range []struct {
		name    string
		damage  func(t *testing.T, dir string, r *rand.Rand)
		least   int // documents and texts
		vectors bool
	}{
		{"vectors are gone", func(t *testing.T, dir string, _ *rand.Rand) { must(t, os.Remove(filepath.Join(dir, "vectors-2.f32"))) }, all, false},
		{"codes and scales are gone", func(t *testing.T, dir string, _ *rand.Rand) {
			must(t, errors.Join(os.Remove(filepath.Join(dir, "codes-2.i8")), os.Remove(filepath.Join(dir, "scales-2.f32"))))
		}, all, true},
		{"half of the vectors are gone", func(t *testing.T, dir string, _ *rand.Rand) {
			must(t, os.Truncate(filepath.Join(dir, "vectors-2.f32"), 5000))
		}, all, false},
		{"the ledger's first page is gone", func(t *testing.T, dir string, _ *rand.Rand) { zero(t, dir, 0, 4096) }, all, true},
		{"the root of the documents is gone", func(t *testing.T, dir string, _ *rand.Rand) { zero(t, dir, 4*4096, 4096) }, all - 10, true},
		{"the state and the settings are gone", func(t *testing.T, dir string, _ *rand.Rand) { zero(t, dir, 2*4096, 8192) }, all, true},
		{"a hundred flips", func(t *testing.T, dir string, r *rand.Rand) {
			bytes := bytesOf(t, dir)
			for range 100 {
				at := bytes[r.IntN(len(bytes))]
				flip(t, filepath.Join(dir, at.name), at.offset, byte(1+r.IntN(255)))
			}
		}, all / 3, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			damaged := copyOf(t, dir)
			test.damage(t, damaged, source(t, 63))
			r, _ := repaired(t, damaged, filepath.Join(t.TempDir(), "saved"), held)
			if r.Documents+r.Texts < test.least || test.vectors && r.Texts > 0 {
				t.Errorf("%d documents and %d texts saved of %d; lost: %v", r.Documents, r.Texts, all, r.Lost)
			}
		})
	}
}

// zero clears a part of the ledger.
func zero(t *testing.T, dir string, at, n int64) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, ledgerName), os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt(make([]byte, n), at)
	must(t, errors.Join(err, f.Close()))
}

func TestRepairRefused(t *testing.T) {
	c := create(t, Options{})
	to := filepath.Join(t.TempDir(), "saved")
	if _, err := Repair(t.Context(), c.dir, to, nil); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("repairing one that is open: got %v, want %v", err, engine.ErrLocked)
	}
	must(t, c.Close())
	_, err := Repair(t.Context(), c.dir, to, nil)
	must(t, err)
	if _, err := Repair(t.Context(), c.dir, to, nil); err == nil {
		t.Error("repaired to a directory that exists")
	}
}
