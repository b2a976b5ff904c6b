package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// Collections being created or deleted have names in the root that are not valid
// collection names.
const (
	makingPrefix  = ".making-"
	deletedPrefix = ".deleted-"
)

// makingTime is far longer than the time between two writes while a collection is created
// or restored.
const makingTime = time.Hour

// sweep removes what interrupted processes have left: deleted data, and unfinished
// collections.
func (c *Collections) sweep() {
	entries, err := os.ReadDir(c.config.Root)
	if err != nil {
		return // listing the collections reports it
	}
	for _, e := range entries {
		left := strings.HasPrefix(e.Name(), deletedPrefix)
		dir := filepath.Join(c.config.Root, e.Name())
		if strings.HasPrefix(e.Name(), makingPrefix) {
			left = time.Since(lastChange(dir)) > makingTime
		}
		if !left || !e.IsDir() {
			continue
		}
		if err := durable.RemoveAll(dir); err != nil && c.config.Log != nil {
			c.config.Log.Warn("cannot remove files left by an interrupted server", "directory", e.Name(), "error", err)
		}
	}
}

// lastChange returns the time of the last write in a directory.
func lastChange(dir string) (last time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	}) // an unreadable directory cannot be swept either
	return last
}
