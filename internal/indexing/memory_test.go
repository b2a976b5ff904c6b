package indexing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// memory is a collection that does not encode and can fail.
type memory struct {
	docs    map[string]engine.Document
	files   map[string]ingest.Fingerprint
	calls   int
	failAt  int           // number of the failing call; 0 for none
	each    time.Duration // simulated time per passage
	batches []int         // passages per batch
	refuse  string        // an id that cannot be stored
	stored  atomic.Int64  // documents
}

func newMemory() *memory {
	return &memory{docs: map[string]engine.Document{}, files: map[string]ingest.Fingerprint{}}
}

func (m *memory) clone() *memory {
	return &memory{docs: maps.Clone(m.docs), files: maps.Clone(m.files)}
}

var errKilled = errors.New("killed")

func (m *memory) call(ctx context.Context) error {
	if m.calls++; m.calls == m.failAt {
		return errKilled
	}
	return ctx.Err()
}

func (m *memory) Files(ctx context.Context) (map[string]ingest.Fingerprint, error) {
	return maps.Clone(m.files), m.call(ctx)
}

func (m *memory) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	if err := m.call(ctx); err != nil {
		return err
	}
	for name, f := range files {
		if f == nil {
			delete(m.files, name)
		} else {
			m.files[name] = *f
		}
	}
	return nil
}

func (m *memory) Lookup(ctx context.Context, ids []string) (docs []engine.Document, err error) {
	for _, id := range ids {
		if d, ok := m.docs[id]; ok {
			docs = append(docs, d)
		}
	}
	return docs, m.call(ctx)
}

func (m *memory) DocumentsOf(ctx context.Context, file string) (ids []string, err error) {
	for id, d := range m.docs {
		if workspace.FileOf(d.Metadata) == file {
			ids = append(ids, id)
		}
	}
	return ids, m.call(ctx)
}

func (m *memory) Put(ctx context.Context, docs []engine.Document) (int, error) {
	if err := m.call(ctx); err != nil {
		return 0, err
	}
	if err := storekit.Check(docs, 0, func(i int) string {
		return map[bool]string{true: "refused"}[docs[i].ID == m.refuse]
	}); err != nil {
		return 0, err
	}
	passages := 0
	for _, d := range docs {
		passages += passagesOf(&d)
		if d.Title != "" { // as encoding does
			d.Passages = slices.Insert(slices.Clone(d.Passages), 0, engine.Passage{Text: d.Title})
		}
		m.docs[d.ID] = d
	}
	m.batches = append(m.batches, passages)
	m.stored.Add(int64(len(docs)))
	time.Sleep(time.Duration(passages) * m.each)
	return 0, nil
}

func (m *memory) Delete(ctx context.Context, ids ...string) (n int, err error) {
	if err := m.call(ctx); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, ok := m.docs[id]; ok {
			n++
		}
		delete(m.docs, id)
	}
	return n, nil
}

// ids returns the sorted ids of the documents.
func (m *memory) ids() string { return fmt.Sprintln(slices.Sorted(maps.Keys(m.docs))) }

// texts returns the texts of the documents and their sources.
func (m *memory) texts() string {
	var lines []string
	for _, d := range m.docs {
		lines = append(lines, workspace.FileOf(d.Metadata)+": "+d.Text+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// bring runs a pass.
func bring(ctx context.Context, m Collection, o Options, paths ...string) (*Pass, error) {
	p, err := Find(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	files, err := m.Files(ctx)
	if err == nil {
		err = p.Compare(ctx, files)
	}
	if err == nil {
		err = p.Apply(ctx, m)
	}
	return p, err
}

func mustBring(t *testing.T, m Collection, o Options, paths ...string) Report {
	t.Helper()
	p, err := bring(t.Context(), m, o, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return p.Report
}

// put writes files; an empty text removes one.
func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil && text == "" {
			err = os.RemoveAll(path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// rows returns JSON lines with a range of ids.
func rows(text string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprint(i), "title": fmt.Sprintf("Row %d", i), "text": fmt.Sprintf("%s %d", text, i)})
		b.Write(append(line, '\n'))
	}
	return b.String()
}
