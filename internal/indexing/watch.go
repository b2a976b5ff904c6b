package indexing

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	quiet = 300 * time.Millisecond // without changes ends a group of related changes, such as a checkout
	most  = 5 * time.Second        // the longest that a change waits for quiet
	look  = 10 * time.Second       // between passes if the system does not report changes
)

// Watch calls pass, and again whenever something changes below the given paths, until ctx
// is done or the first pass fails. Later failures are reported to tell and retried. A
// pass must call folder for each folder before reading it.
func Watch(ctx context.Context, paths []string, tell func(string), pass func(ctx context.Context, folder func(string)) error) error {
	w := &watcher{tell: tell, roots: map[string]bool{}, watched: map[string]bool{}}
	var err error
	if w.system, err = fsnotify.NewWatcher(); err != nil {
		w.giveUp(err)
	} else {
		defer w.system.Close() //nolint:errcheck // nothing was written
	}
	for _, p := range paths {
		w.roots[filepath.Clean(p)] = true
	}
	for first := true; ; first = false {
		w.folders = map[string]bool{}
		for root := range w.roots {
			w.add(filepath.Dir(root)) // to notice when the root itself is created or removed
		}
		err := pass(ctx, w.folder)
		switch {
		case ctx.Err() != nil, first && err != nil:
			return err
		case err != nil:
			w.tell(fmt.Sprintf("%v; trying again in %s", err, look))
		}
		w.clear()
		if first {
			w.tell(fmt.Sprintf("watching %d folders; ctrl-C ends it", len(w.folders)))
		}
		if !w.wait(ctx, err != nil) {
			return ctx.Err()
		}
	}
}

// watcher detects changes.
type watcher struct {
	tell    func(string)
	system  *fsnotify.Watcher
	polling bool
	roots   map[string]bool
	watched map[string]bool
	folders map[string]bool // folders read by the pass
}

// giveUp falls back to polling.
func (w *watcher) giveUp(err error) {
	if !w.polling {
		w.polling = true
		w.tell(fmt.Sprintf("the system cannot report all changes (%v); checking every %s instead", err, look))
	}
}

func (w *watcher) folder(path string) {
	path = filepath.Clean(path)
	w.folders[path] = true
	w.add(path)
}

func (w *watcher) add(path string) {
	if w.polling {
		return
	}
	// Add it every time: to the system, a folder that was removed and recreated is a
	// different one.
	if err := w.system.Add(path); err == nil {
		w.watched[path] = true
	} else if !isGone(path) {
		w.giveUp(err)
	}
}

// clear stops watching folders that the last pass did not read.
func (w *watcher) clear() {
	above := map[string]bool{}
	for root := range w.roots {
		above[filepath.Dir(root)] = true
	}
	for path := range w.watched {
		if !w.folders[path] && !above[path] {
			_ = w.system.Remove(path) // it may no longer exist
			delete(w.watched, path)
		}
	}
}

// wait waits for a change followed by quiet. It returns false when ctx is done.
func (w *watcher) wait(ctx context.Context, failed bool) bool {
	var ticks, settled, late <-chan time.Time
	if w.polling || failed {
		ticks = time.After(look)
	}
	var events chan fsnotify.Event
	var faults chan error
	if w.system != nil {
		events, faults = w.system.Events, w.system.Errors
	}
	for {
		var changed bool
		select {
		case <-ctx.Done():
			return false
		case <-ticks:
			return true
		case <-settled:
			return true
		case <-late:
			return true
		case e := <-events:
			changed = w.matters(e)
		case err := <-faults:
			// The pass finds changes whose events were lost.
			changed = true
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.giveUp(err)
			}
		}
		if changed {
			settled = time.After(quiet)
			if late == nil {
				late = time.After(most)
			}
		}
	}
}

// matters reports whether an event concerns a file that a pass reads.
func (w *watcher) matters(e fsnotify.Event) bool {
	name := filepath.Clean(e.Name)
	return e.Op != fsnotify.Chmod && (w.roots[name] || w.folders[name] || w.folders[filepath.Dir(name)])
}
