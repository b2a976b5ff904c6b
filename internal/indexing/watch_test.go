package indexing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestWatch: files are created, changed, moved and deleted, one by one and many at once,
// in old and new folders.
func TestWatch(t *testing.T) {
	top := t.TempDir()
	dir, file := filepath.Join(top, "notes"), filepath.Join(top, "one.md")
	put(t, top, map[string]string{"notes/a.md": "A.", "one.md": "One."})
	m := newMemory()
	var mu sync.Mutex
	var passes atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- watch(ctx, 50*time.Millisecond, func(text string) { t.Log(text) }, func(ctx context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			passes.Add(1)
			_, err := bring(ctx, m, Options{Prune: true, Patient: true}, dir, file)
			return err
		})
	}()
	sees := func(what string, want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
			mu.Lock()
			clear(got)
			for id, d := range m.docs {
				got[id] = d.Text
			}
			mu.Unlock()
			if fmt.Sprint(got) == fmt.Sprint(want) {
				return
			}
		}
		t.Fatalf("%s: there is %v, want %v", what, got, want)
	}
	want := map[string]string{"a.md": "A.", "one.md": "One."}
	sees("at first", want)
	put(t, top, map[string]string{"notes/a.md": "A, changed.", "one.md": "Two.", "other.md": "Not watched."})
	want["a.md"], want["one.md"] = "A, changed.", "Two."
	sees("changed", want)
	before := passes.Load()
	for i := range 100 {
		name := fmt.Sprintf("new/deep%d/%d.md", i%7, i)
		put(t, dir, map[string]string{name: fmt.Sprint("Number ", i)})
		want[name] = fmt.Sprint("Number ", i)
	}
	sees("many at once, in new folders", want)
	if n := passes.Load() - before; n > 5 {
		t.Errorf("%d passes for what came at once", n)
	}
	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		delete(want, fmt.Sprintf("new/deep%d/%d.md", i%7, i))
		want[fmt.Sprintf("moved/deep%d/%d.md", i%7, i)] = fmt.Sprint("Number ", i)
	}
	sees("a folder that moved", want)
	put(t, dir, map[string]string{"moved/deep0/0.md": "Changed there.", "moved/deep1": ""})
	want["moved/deep0/0.md"] = "Changed there."
	for i := 1; i < 100; i += 7 {
		delete(want, fmt.Sprintf("moved/deep1/%d.md", i))
	}
	sees("a folder that is gone", want)
	// An editor writes a temporary file and renames it.
	put(t, dir, map[string]string{".a.md.swp": "x", "a.md~": "A, saved."})
	if err := os.Rename(filepath.Join(dir, "a.md~"), filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	want["a.md"] = "A, saved."
	sees("saved by an editor", want)
	put(t, top, map[string]string{"notes": "", "one.md": ""})
	sees("all is gone", nil)
	put(t, top, map[string]string{"notes/b.md": "B."})
	sees("the folder is back", map[string]string{"b.md": "B."})
	put(t, top, map[string]string{"notes/b.md": "B, changed."})
	sees("and watched", map[string]string{"b.md": "B, changed."})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended by %v", err)
	}
}

// TestWatchFails: a failing first pass ends it, a later one is told and repeated.
func TestWatchFails(t *testing.T) {
	fault := errors.New("no")
	if err := Watch(t.Context(), nil, func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("the first pass: got %v, want %v", err, fault)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var told []string
	passes := 0
	err := watch(ctx, time.Millisecond, func(text string) { told = append(told, text) }, func(context.Context) error {
		switch passes++; passes {
		case 2:
			return fault
		case 3:
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(told) != 2 || !strings.HasPrefix(told[1], "no; trying again") {
		t.Errorf("got %v after %q, want a cancelled watch that told of the fault", err, told)
	}
}
