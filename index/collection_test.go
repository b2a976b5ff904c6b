package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestOperations applies random operations to a collection and to a map, reopening it from
// time to time.
func TestOperations(t *testing.T) {
	ctx := t.Context()
	r := source(t, 1)
	dir := filepath.Join(t.TempDir(), "c")
	c, err := Create(ctx, dir, Options{Dimension: testDim, Encoder: "test"})
	must(t, err)
	defer func() { must(t, c.Close()) }()
	want := map[string]engine.Document{}
	for step := range 120 {
		switch r.IntN(10) {
		default:
			batch := map[string]engine.Document{}
			for range r.IntN(20) {
				id := fmt.Sprintf("doc-%d", r.IntN(150))
				batch[id] = randomDocument(r, id, testDim)
			}
			var docs []engine.Document
			for _, d := range batch {
				docs = append(docs, d)
				want[d.ID] = d
			}
			must(t, c.Upsert(ctx, docs))
		case 0, 1:
			var ids []string
			existed := 0
			for range r.IntN(10) {
				id := fmt.Sprintf("doc-%d", r.IntN(150))
				if _, ok := want[id]; ok {
					existed++
				}
				delete(want, id)
				ids = append(ids, id)
			}
			n, err := c.Delete(ctx, ids)
			must(t, err)
			if n != existed {
				t.Errorf("step %d: %d deleted, want %d", step, n, existed)
			}
		case 2:
			must(t, c.Compact(ctx))
			if s, err := c.Stats(ctx); err != nil || s.Deleted != 0 {
				t.Errorf("step %d: got %+v and error %v after Compact, want nothing deleted", step, s, err)
			}
		case 3:
			must(t, c.Close())
			c, err = Open(ctx, dir, Options{Encoder: "test", Dimension: testDim})
			must(t, err)
		}
		if step%20 == 19 {
			expectDocuments(t, c, want)
			if got := expectSound(t, dir); got.Documents != len(want) {
				t.Errorf("step %d: Verify saw %d documents, want %d", step, got.Documents, len(want))
			}
		}
	}
	backup := filepath.Join(t.TempDir(), "copy")
	must(t, c.Backup(ctx, backup))
	expectSound(t, backup)
	copied, err := Open(ctx, backup, Options{Encoder: "test"})
	must(t, err)
	expectDocuments(t, copied, want)
	must(t, copied.Close())
	if left := flatFiles(t, dir); len(left) != int(fileKinds) {
		t.Errorf("got the flat files %q, want those of one epoch", left)
	}
}

// TestCompactReclaims: files and ledger get smaller.
func TestCompactReclaims(t *testing.T) {
	ctx := t.Context()
	c := create(t, Options{})
	docs := randomDocuments(source(t, 21), 3000, testDim)
	must(t, c.Upsert(ctx, docs))
	var ids []string
	for _, d := range docs[300:] {
		ids = append(ids, d.ID)
	}
	size := func() (flat, pages int64) {
		s, err := c.Stats(ctx)
		must(t, err)
		must(t, c.writer.ledger.db.QueryRow(`PRAGMA page_count`).Scan(&pages))
		return s.Bytes, pages
	}
	flatBefore, pagesBefore := size()
	_, err := c.Delete(ctx, ids)
	must(t, err)
	must(t, c.Compact(ctx))
	if flat, pages := size(); flat > flatBefore/5 || pages > pagesBefore/2 {
		t.Errorf("got %d bytes and %d pages, want at most a fifth of %d and half of %d", flat, pages, flatBefore, pagesBefore)
	}
}

func TestOpenErrors(t *testing.T) {
	ctx := t.Context()
	dir := filepath.Join(t.TempDir(), "c")
	if _, err := Open(ctx, dir, Options{}); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("nothing there: got error %v, want ErrNotCollection", err)
	}
	if _, err := Verify(ctx, dir); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("verifying nothing: got error %v, want ErrNotCollection", err)
	}
	for _, o := range []Options{{}, {Dimension: -1}, {Dimension: engine.MaxDimension + 1}, {Dimension: 3, Encoder: "\xff"}} {
		var input *engine.InputError
		if _, err := Create(ctx, dir, o); !errors.As(err, &input) {
			t.Errorf("creating with %+v: got error %v, want an *InputError", o, err)
		}
	}
	c, err := Create(ctx, dir, Options{Dimension: 3, Encoder: "one"})
	must(t, err)
	if _, err := Open(ctx, dir, Options{}); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("second writer: got error %v, want ErrLocked", err)
	}
	if _, err := Create(ctx, dir, Options{Dimension: 3}); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("Create on an open collection: got error %v, want ErrLocked", err)
	}
	must(t, c.Close())
	must(t, c.Close())
	if _, err := Create(ctx, dir, Options{Dimension: 3}); !errors.Is(err, ErrExists) {
		t.Errorf("creating what exists: got error %v, want ErrExists", err)
	}
	var mismatch *engine.MismatchError
	_, err = Open(ctx, dir, Options{Encoder: "two"})
	if !errors.As(err, &mismatch) || mismatch.Stored != `"one"` || mismatch.Given != `"two"` || !strings.Contains(err.Error(), `"one"`) {
		t.Errorf("another encoder: got error %v, want a *MismatchError with both names", err)
	}
	if _, err = Open(ctx, dir, Options{Dimension: 4}); !errors.As(err, &mismatch) {
		t.Errorf("another dimension: got error %v, want a *MismatchError", err)
	}
	c, err = Open(ctx, dir, Options{ReadOnly: true})
	must(t, err)
	if err := c.Upsert(ctx, []engine.Document{{ID: "a", Vector: []float32{1, 0, 0}}}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("writing to a read-only collection: got error %v, want ErrReadOnly", err)
	}
	must(t, c.Close())
	if _, err := count(ctx, c); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("counting after Close: got error %v, want ErrClosed", err)
	}
	if _, err := c.Get(ctx, "a", engine.AllParts); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("reading after Close: got error %v, want ErrClosed", err)
	}
	// An interrupted Create leaves a ledger without settings, or none.
	half := filepath.Join(t.TempDir(), "half")
	must(t, os.Mkdir(half, 0o777))
	must(t, os.WriteFile(filepath.Join(half, ledgerName), nil, 0o666))
	if _, err := Open(ctx, half, Options{}); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("half made: got error %v, want ErrNotCollection", err)
	}
	c, err = Create(ctx, half, Options{Dimension: 3})
	must(t, err)
	must(t, c.Close())
}

func TestNewerFormat(t *testing.T) {
	ctx := t.Context()
	c := create(t, Options{})
	must(t, c.Upsert(ctx, randomDocuments(source(t, 2), 3, testDim)))
	must(t, c.Close())
	set := func(version int) {
		l, err := openLedger(at(c.dir), forWriting)
		must(t, err)
		_, err = l.db.Exec(`UPDATE settings SET value = ? WHERE name = 'format'`, version)
		must(t, err)
		must(t, l.close())
	}
	set(FormatVersion + 1)
	var format *engine.FormatError
	if _, err := Open(ctx, c.dir, Options{}); !errors.As(err, &format) || format.Found != FormatVersion+1 {
		t.Errorf("newer format: got error %v, want a *FormatError", err)
	}
	set(FormatVersion)
	again, err := Open(ctx, c.dir, Options{})
	must(t, err)
	if n, err := count(ctx, again); n != 3 || err != nil {
		t.Errorf("got %d documents and error %v, want 3", n, err)
	}
	must(t, again.Close())
}

func TestInput(t *testing.T) {
	ctx := t.Context()
	c := create(t, Options{Dimension: 3})
	good := engine.Document{ID: "good", Vector: []float32{1, 2, 3}}
	must(t, c.Upsert(ctx, []engine.Document{good}))
	vector := []float32{1, 0, 0}
	nan, inf := float32(0), float32(1)
	nan /= nan
	inf /= float32(0) * inf
	for _, tc := range []struct {
		name, problem string
		doc           engine.Document
	}{
		{"empty id", "the id is empty", engine.Document{Vector: vector}},
		{"long id", "bytes", engine.Document{ID: strings.Repeat("x", engine.MaxIDBytes+1), Vector: vector}},
		{"id", "UTF-8", engine.Document{ID: "\xff", Vector: vector}},
		{"title", "UTF-8", engine.Document{ID: "a", Title: "\xff", Vector: vector}},
		{"text", "UTF-8", engine.Document{ID: "a", Text: "\xff", Vector: vector}},
		{"passage", "passage 0 is not valid UTF-8", engine.Document{ID: "a", Vector: vector, Passages: []engine.Passage{{Text: "\xff"}}}},
		{"metadata encoding", "UTF-8", engine.Document{ID: "a", Vector: vector, Metadata: []byte("{\"a\":\"\xff\"}")}},
		{"metadata list", "JSON object", engine.Document{ID: "a", Vector: vector, Metadata: []byte(`[1]`)}},
		{"metadata null", "JSON object", engine.Document{ID: "a", Vector: vector, Metadata: []byte(`null`)}},
		{"metadata cut", "JSON object", engine.Document{ID: "a", Vector: vector, Metadata: []byte(`{"a":`)}},
		{"metadata twice", "JSON object", engine.Document{ID: "a", Vector: vector, Metadata: []byte(`{}{}`)}},
		{"no vector", "dimension 0", engine.Document{ID: "a"}},
		{"dimension", "dimension 2, the collection has 3", engine.Document{ID: "a", Vector: vector[:2]}},
		{"zero", "zero", engine.Document{ID: "a", Vector: []float32{0, 0, 0}}},
		{"NaN", "NaN", engine.Document{ID: "a", Vector: []float32{1, nan, 0}}},
		{"infinite", "infinite", engine.Document{ID: "a", Vector: []float32{1, inf, 0}}},
		{"passage vector", "passage 1 has dimension 0", engine.Document{ID: "a", Vector: vector, Passages: []engine.Passage{{Vector: vector}, {}}}},
		{"long", "at most", engine.Document{ID: "a", Vector: vector, Text: strings.Repeat("x", engine.MaxDocumentBytes+1)}},
		{"many passages", "passages", engine.Document{ID: "a", Vector: vector, Passages: make([]engine.Passage, engine.MaxPassages+1)}},
		{"duplicate", "same id", engine.Document{ID: "first", Vector: vector}},
	} {
		err := c.Upsert(ctx, []engine.Document{{ID: "first", Vector: vector}, tc.doc})
		var input *engine.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), tc.problem) || !strings.Contains(err.Error(), "document 1") {
			t.Errorf("%s: got error %v, want an *InputError about document 1", tc.name, err)
		}
	}
	for _, q := range [][][]float32{nil, {{1, 2}}, {{0, 0, 0}}, {{1, nan, 0}}} {
		var input *engine.InputError
		if _, err := c.Scan(ctx, q, nil); !errors.As(err, &input) {
			t.Errorf("scanning with %v: got error %v, want an *InputError", q, err)
		}
	}
	expectDocuments(t, c, map[string]engine.Document{"good": good})
	// Odd but allowed: NUL and others in strings, tiny and huge vectors, one passage.
	odd := []engine.Document{
		{ID: "nul\x00\n\"' ;--", Title: "\x00", Text: "a\x00b", Vector: []float32{1e-30, 0, 0}, Metadata: []byte(`{"\u0000":"\u0000"}`)},
		{ID: strings.Repeat("é", engine.MaxIDBytes/2), Vector: []float32{3e38, 3e38, 3e38}, Passages: []engine.Passage{{Text: "alone"}}},
	}
	must(t, c.Upsert(ctx, odd))
	expectDocuments(t, c, map[string]engine.Document{"good": good, odd[0].ID: odd[0], odd[1].ID: odd[1]})
	expectSound(t, c.dir)
}

func TestCancel(t *testing.T) {
	c := create(t, Options{})
	docs := randomDocuments(source(t, 3), 50, testDim)
	must(t, c.Upsert(t.Context(), docs[:10]))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	vectors := [][]float32{docs[0].Vector}
	_, scanErr := c.Scan(ctx, vectors, nil)
	_, topErr := c.TopK(ctx, vectors, 3, nil)
	_, gatherErr := c.Compare(ctx, []engine.Ref{refOf(1)}, vectors)
	_, getErr := c.Get(ctx, docs[0].ID, engine.AllParts)
	_, _, listErr := c.List(ctx, engine.Page{Limit: 1})
	_, deleteErr := c.Delete(ctx, []string{docs[0].ID})
	_, verifyErr := Verify(ctx, c.dir)
	for name, err := range map[string]error{
		"Upsert": c.Upsert(ctx, docs), "Delete": deleteErr, "Scan": scanErr, "TopK": topErr, "Gather": gatherErr,
		"Get": getErr, "List": listErr, "Verify": verifyErr, "Backup": c.Backup(ctx, filepath.Join(t.TempDir(), "b")),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got error %v, want context.Canceled", name, err)
		}
	}
	want := map[string]engine.Document{}
	for _, d := range docs[:10] {
		want[d.ID] = d
	}
	expectDocuments(t, c, want)
	expectSound(t, c.dir)
}
