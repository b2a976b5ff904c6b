package indexing

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// TestKilled: whichever call is the last of a pass, the next pass has the same result as
// an uninterrupted one, even if the files were changed back.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	before := map[string]string{"a.md": "A.", "b.md": "B.", "rows.jsonl": rows("old", 0, 300), "more/rows.jsonl": rows("more", 250, 400)}
	after := map[string]string{"a.md": "A, changed.", "b.md": "", "c.md": "C.", "rows.jsonl": rows("old", 0, 100) + rows("new", 100, 350), "more/rows.jsonl": rows("more", 390, 420)}
	o := Options{Prune: true}
	put(t, dir, before)
	first := newMemory()
	mustBring(t, first, o, dir)
	put(t, dir, after)
	second := first.clone()
	report := mustBring(t, second, o, dir)
	if report.Same == 0 || report.Removed == 0 || report.Renamed == 0 || report.Gone != 1 {
		t.Errorf("the test does not test much: %+v", report)
	}
	calls := second.calls
	for at := 1; at <= calls; at++ {
		for _, back := range []bool{false, true} {
			put(t, dir, after)
			m := first.clone()
			m.failAt = at
			if _, err := bring(t.Context(), m, o, dir); !errors.Is(err, errKilled) {
				t.Fatalf("call %d: %v", at, err)
			}
			want := second
			if back {
				put(t, dir, map[string]string{"c.md": ""})
				put(t, dir, before)
				want = first
			}
			x := mustBring(t, m, o, dir)
			// Which of two files gets an id depends on the order.
			if !back && m.ids() != second.ids() || m.texts() != want.texts() {
				t.Fatalf("killed in call %d, back %v, %+v: there is\n%s%s\nwant\n%s%s", at, back, x, m.ids(), m.texts(), want.ids(), want.texts())
			}
			if x := mustBring(t, m, o, dir); x.Documents+x.Removed+x.Same != 0 {
				t.Fatalf("killed in call %d, back %v: the pass after the next has something to do: %+v", at, back, x)
			}
		}
	}
	// The first pass, killed anywhere, loses no stored document.
	put(t, dir, map[string]string{"c.md": ""})
	put(t, dir, before)
	for at := 1; at <= first.calls; at++ {
		m := newMemory()
		m.failAt = at
		_, _ = bring(t.Context(), m, o, dir)
		stored := len(m.docs)
		if x := mustBring(t, m, o, dir); x.Documents != len(first.docs)-stored || m.texts() != first.texts() {
			t.Fatalf("killed in call %d with %d stored: %+v", at, stored, x)
		}
	}
}

// TestCommit: however slow the encoder, a batch takes about two seconds, and documents
// waiting for a slow reader are stored after two.
func TestCommit(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"rows.jsonl": rows("text", 0, 3000)})
	for _, each := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory()
			m.each = each
			mustBring(t, m, Options{}, dir)
			for i, n := range m.batches[1:] {
				if took := time.Duration(n) * each; took > commitTime {
					t.Errorf("%s a passage: batch %d takes %s", each, i+1, took)
				}
			}
			if least := commitTime / each / 2; len(m.batches) > 3 && m.batches[2] < int(min(least, batchDocuments)) {
				t.Errorf("%s a passage: batches of %d", each, m.batches)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		var stored []int64
		read := func(_ context.Context, s ingest.Source, _ func(ingest.Skip)) iter.Seq2[engine.Document, error] {
			return func(yield func(engine.Document, error) bool) {
				for _, id := range []string{"1", "2", "3", "4", "5"} {
					time.Sleep(1700 * time.Millisecond)
					stored = append(stored, m.stored.Load())
					yield(engine.Document{ID: id, Text: "text"}, nil)
				}
			}
		}
		mustBring(t, m, Options{Read: read}, dir)
		if !slices.Equal(stored, []int64{0, 1, 2, 3, 4}) {
			t.Errorf("stored while reading: got %d, want 0 to 4", stored)
		}
	})
}

// TestProgress: progress within a file is in steps of a chunk, and ends at 100 %.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"rows.jsonl": rows("text", 0, 3000), "a.md": "A."})
	p, err := Find(t.Context(), []string{dir}, Options{})
	if err == nil {
		err = p.Compare(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	size, docs, bytes := p.total(), int64(0), int64(0)
	r := p.prefetch(t.Context())
	for next := range r.pieces {
		r.room.Release(next.weight)
		bytes += next.bytes
		if docs++; next.bytes > 64<<10 {
			t.Fatalf("document %d: got %d bytes, want at most those of a chunk", docs, next.bytes)
		}
	}
	if bytes != size || docs != 3003 {
		t.Errorf("%d of %d bytes, %d pieces", bytes, size, docs)
	}
}

// TestInterrupted: no goroutine outlives an interrupted pass.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"rows.jsonl": rows("text", 0, 2000)})
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		m := newMemory()
		m.each = 10 * time.Millisecond
		if _, err := bring(ctx, m, Options{}, dir); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("interrupted: %v", err)
		}
		if n := len(m.docs); n < 250 || n > 700 {
			t.Errorf("%d documents are stored", n)
		}
	})
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"rows.jsonl": rows("text", 0, 20)})
	m := newMemory()
	m.refuse = "7"
	x := mustBring(t, m, Options{}, dir)
	if x.Documents != 19 || len(x.Skipped) != 1 || !strings.Contains(x.Skipped[0].Reason, "refused") || x.Files != 1 {
		t.Errorf("one of them cannot be stored: %+v", x)
	}
}

// TestUnreadable: an unreadable file keeps its documents and is retried.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.md": "A."})
	m := newMemory()
	mustBring(t, m, Options{}, dir)
	put(t, dir, map[string]string{"a.md": "A, changed."})
	fails := true
	read := func(_ context.Context, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error] {
		return func(yield func(engine.Document, error) bool) {
			if fails {
				skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: "no"})
				yield(engine.Document{}, ErrUnread)
				return
			}
			yield(engine.Document{ID: s.Name, Text: "read"}, nil)
		}
	}
	if x := mustBring(t, m, Options{Read: read}, dir); x.Files != 0 || x.Removed != 0 || len(m.docs) != 1 || len(x.Skipped) != 1 {
		t.Errorf("unreadable: %+v", x)
	}
	fails = false
	if x := mustBring(t, m, Options{Read: read}, dir); x.Files != 1 || m.docs["a.md"].Text != "read" {
		t.Errorf("readable again: %+v", x)
	}
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"there.md": "x"})
	there, gone := filepath.Join(dir, "there.md"), filepath.Join(dir, "gone.md")
	at := func(name string) string {
		return filepath.Join(filepath.VolumeName(dir)+string(filepath.Separator), "x", filepath.FromSlash(name))
	}
	for _, c := range []struct {
		what  string
		names []string // and places
		files map[string]string
		want  []string
		moved int
	}{
		{"new", []string{"a.md", at("a.md")}, nil, []string{"a.md"}, 0},
		{"known by another name", []string{"sub/a.md", at("sub/a.md")}, map[string]string{"a.md": at("sub/a.md")}, []string{"a.md"}, 0},
		{"taken", []string{"a.md", at("two/a.md")}, map[string]string{"a.md": there}, []string{"two/a.md"}, 0},
		{"taken twice", []string{"a.md", at("one/two/a.md")}, map[string]string{"a.md": there, "two/a.md": there}, []string{"one/two/a.md"}, 0},
		{"taken all the way", []string{"a.md", at("a.md")}, map[string]string{"a.md": there, "x/a.md": there}, []string{"/x/a.md"}, 0},
		{"gone", []string{"a.md", at("a.md")}, map[string]string{"a.md": gone}, []string{"a.md"}, 1},
		{"not known where", []string{"a.md", at("a.md")}, map[string]string{"a.md": ""}, []string{"a.md"}, 0},
		{"two of one name", []string{"a.md", at("one/a.md"), "a.md", at("two/a.md")}, nil, []string{"a.md", "two/a.md"}, 0},
		{"a new one before a known one", []string{"a.md", at("one/a.md"), "a.md", at("two/a.md")}, map[string]string{"a.md": at("two/a.md")}, []string{"one/a.md", "a.md"}, 0},
		{"two for one that is gone", []string{"a.md", at("one/a.md"), "a.md", at("two/a.md")}, map[string]string{"a.md": gone}, []string{"a.md", "two/a.md"}, 1},
	} {
		var sources []ingest.Source
		for i := 0; i < len(c.names); i += 2 {
			sources = append(sources, ingest.Source{Name: c.names[i], Place: c.names[i+1]})
		}
		files := map[string]ingest.Fingerprint{}
		for name, place := range c.files {
			files[name] = ingest.Fingerprint{Place: place, SHA256: "x"}
		}
		moved := rename(sources, files)
		var got []string
		for _, s := range sources {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, c.want) || moved != c.moved {
			t.Errorf("%s: %q, %d moved; want %q, %d", c.what, got, moved, c.want, c.moved)
		}
	}
}

// TestRoots: only missing files below the given paths are pruned.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	put(t, dir, map[string]string{"real/a.md": "a", "realm/b.md": "b"})
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip("needs symbolic links")
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, "real"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRoot(filepath.Join(link, "none", "deeper"))
	if err != nil || !r.gone || r.place != filepath.Join(real, "none", "deeper") {
		t.Errorf("newRoot: got %+v and error %v, want a missing path below %s", r, err, real)
	}
	for place, want := range map[string]bool{real: true, filepath.Join(real, "a.md"): true, real + "m": false, filepath.Dir(real): false} {
		if (root{place: real}).holds(place) != want {
			t.Errorf("%s in %s is not %v", place, real, want)
		}
	}
	if !isGone(filepath.Join(real, "a.md", "x")) || isGone(real) {
		t.Error("a path below a file is missing, an existing one is not")
	}
}

// TestInput: standard input is read every time, and documents no longer in it are
// removed.
func TestInput(t *testing.T) {
	m := newMemory()
	for i, c := range []struct {
		text          string
		docs, removed int
	}{{rows("text", 0, 3), 3, 0}, {rows("text", 0, 2) + rows("text", 5, 6), 1, 1}} {
		o := Options{Prune: true}
		o.Ingest.Stdin, o.Ingest.Type = strings.NewReader(c.text), "jsonl"
		if x := mustBring(t, m, o, ingest.StandardInput); x.Documents != c.docs || x.Removed != c.removed || x.Files != 1 || len(m.docs) != 3 {
			t.Errorf("time %d: %+v, %s", i+1, x, m.ids())
		}
	}
}

// A collection is created with its first document, and not for a folder without any.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"x.csv": "id,text\n"})
	c, err := workspace.Open(t.Context(), filepath.Join(t.TempDir(), "c"), workspace.Options{Make: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if mustBring(t, c, Options{}, dir); c.Exists() {
		t.Error("got a collection without documents, want none")
	}
	put(t, dir, map[string]string{"a.md": "A."})
	x := mustBring(t, c, Options{}, dir)
	if files, err := c.Files(t.Context()); err != nil || x.Documents != 1 || len(files) == 0 {
		t.Errorf("got %+v, files %v and error %v, want one document stored", x, files, err)
	}
}
