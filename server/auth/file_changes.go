package auth

import (
	"os"
	"sync"
	"time"
)

// fileChanges detects changes to files. It checks them at most once a second.
type fileChanges struct {
	files []string

	mu     sync.Mutex
	looked time.Time
	seen   []os.FileInfo // nil: the file does not exist
}

const lookEvery = time.Second

// hasChanged reports whether a file has changed since the last check.
func (f *fileChanges) hasChanged(now time.Time) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.looked) < lookEvery {
		return false
	}
	f.looked = now
	seen := make([]os.FileInfo, len(f.files))
	for i, file := range f.files {
		if info, err := os.Stat(file); err == nil {
			seen[i] = info
		}
		changed = changed || f.seen == nil || !isSame(seen[i], f.seen[i])
	}
	f.seen = seen
	return changed
}

func isSame(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
