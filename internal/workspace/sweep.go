package workspace

import (
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

// makingTime is far longer than a collection without documents takes to be made.
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
		if strings.HasPrefix(e.Name(), makingPrefix) {
			info, err := e.Info()
			left = err == nil && time.Since(info.ModTime()) > makingTime
		}
		if !left || !e.IsDir() {
			continue
		}
		if err := durable.RemoveAll(filepath.Join(c.config.Root, e.Name())); err != nil && c.config.Log != nil {
			c.config.Log.Warn("what a server left when it ended cannot be removed", "directory", e.Name(), "error", err)
		}
	}
}
