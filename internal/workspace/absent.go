package workspace

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/spelling"
)

// absentError reports that a directory holds no collection, suggests similar names, and
// explains how to create one.
type absentError struct{ dir string }

func (e *absentError) Error() string {
	if entries, err := os.ReadDir(e.dir); err == nil && len(entries) > 0 {
		return fmt.Sprintf("%[1]s is a folder, and not a collection\nto read it into one, and search that:\n  nsfl index %[1]s -c %[2]s\n  nsfl search -c %[2]s 'dog AND NOT ball'", e.dir, filepath.Clean(e.dir)+"-nsfl")
	}
	text := fmt.Sprintf("there is no collection in %s", e.dir)
	if meant := spelling.Meant(e.dir, beside(e.dir)); meant != "" {
		text += "; " + meant
	}
	return fmt.Sprintf("%s\nto make it, and search it:\n  nsfl index FOLDER -c %s\n  nsfl search -c %s 'dog AND NOT ball'", text, e.dir, e.dir)
}

func (e *absentError) Unwrap() error { return engine.ErrNotCollection }

// beside returns the directories next to dir that hold a collection, without opening
// them.
func beside(dir string) (out []string) {
	parent, _ := filepath.Split(dir)
	at := parent
	if at == "" {
		at = "."
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if path := parent + e.Name(); index.Holds(path) {
			out = append(out, path)
		}
	}
	return out
}
