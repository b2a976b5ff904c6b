package workspace

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl"
)

// many returns collections c0 to c5, with MostOpen 2.
func many(t *testing.T) *Collections {
	t.Helper()
	c := open(t, Config{Root: t.TempDir(), Hold: true, MostOpen: 2})
	for i := range 6 {
		if err := c.Make(t.Context(), fmt.Sprint("c", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *Collections) isOpen(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[name] != nil
}

func use(t *testing.T, c *Collections, name string) (*Handle, func()) {
	t.Helper()
	o, release, err := c.Use(t.Context(), name, true)
	if err != nil {
		t.Fatal(err)
	}
	return o, release
}

// TestMostOpen: the least recently used collection is closed to make room, collections in
// use stay open, and closed ones are reopened.
func TestMostOpen(t *testing.T) {
	c := many(t)
	held, release := use(t, c, "c0")
	for _, name := range []string{"c1", "c2", "c3"} {
		_, let := use(t, c, name)
		let()
	}
	if !c.isOpen("c0") || c.isOpen("c1") || c.isOpen("c2") || !c.isOpen("c3") {
		t.Errorf("open: %v", c.open)
	}
	if _, err := held.Count(t.Context()); err != nil {
		t.Errorf("what is in use: %v", err)
	}
	_, third := use(t, c, "c3")
	_, fourth := use(t, c, "c4") // exceeds the limit, and all are in use
	if c.Open() != 3 {
		t.Errorf("%d are open", c.Open())
	}
	release()
	third()
	fourth()
	o, release := use(t, c, "c1")
	if err := o.Add(t.Context(), nsfl.Document{ID: "a", Text: "a dog"}); err != nil {
		t.Error(err)
	}
	release()
	c.closeIdle(time.Now().Add(-time.Hour))
	if !c.isOpen("c1") {
		t.Error("a collection that was just used is closed")
	}
	c.closeIdle(time.Now().Add(time.Hour))
	if c.Open() != 0 {
		t.Errorf("%d are open", c.Open())
	}
	o, release = use(t, c, "c1")
	defer release()
	if n, err := o.Count(t.Context()); n != 1 || err != nil {
		t.Errorf("opened again: %d documents, %v", n, err)
	}
}

// TestIdleAtOnce: no user sees a collection that is being closed, or finds it locked by
// this process.
func TestIdleAtOnce(t *testing.T) {
	c := many(t)
	names := []string{"c0", "c1", "c2", "c3", "c4", "c5"}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 40 {
				name := names[rand.IntN(len(names))]
				o, release, err := c.Use(t.Context(), name, true)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := o.Count(t.Context()); err != nil || o.ReadOnly {
					t.Errorf("%s: read-only %t, %v", name, o.ReadOnly, err)
				}
				release()
				if rand.IntN(10) == 0 {
					c.closeIdle(time.Now())
				}
			}
		})
	}
	all.Wait()
	if n := len(c.closing); n != 0 || c.Open() > 8 {
		t.Errorf("%d are leaving, %d open", n, c.Open())
	}
}
