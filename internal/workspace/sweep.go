package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// What is being made and what is being deleted lies in the root under names that no
// collection has.
const (
	makingPrefix  = ".making-"
	deletedPrefix = ".deleted-"
)

// makingTime is far longer than a collection takes between two writes when it is made or
// restored.
const makingTime = time.Hour

// sweep removes what processes that ended in the middle have left: deleted data is then
// gone, and what was never made takes no room.
func (c *Collections) sweep() {
	entries, err := os.ReadDir(c.config.Root)
	if err != nil {
		return // listing the collections tells
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
			c.config.Log.Warn("what a server left when it ended cannot be removed", "directory", e.Name(), "error", err)
		}
	}
}

// lastChange is when something in a directory was last written.
func lastChange(dir string) (last time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	}) // where it cannot be read, it cannot be swept either
	return last
}
