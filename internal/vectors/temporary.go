package vectors

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// temporary is a file that gets its name when it is complete.
type temporary struct {
	*bufio.Writer
	file *os.File
	path string // where it goes
}

// newTemporary creates a file in the folder of path, because a rename is atomic only within a
// file system. If path is a link, its target is replaced.
func newTemporary(path string) (*temporary, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, errors.New("it is a folder, a device or a pipe, which a file cannot replace; give the name of a file")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	// Not os.CreateTemp, whose files only the user can read.
	file, err := os.OpenFile(path+"."+rand.Text()+".tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &temporary{Writer: bufio.NewWriterSize(file, 1<<20), file: file, path: path}, nil
}

// rename syncs the file and gives it its name.
func (t *temporary) rename() error {
	// Windows cannot rename an open file.
	if err := errors.Join(t.Flush(), t.file.Sync(), t.file.Close()); err != nil {
		return err
	}
	return durable.Rename(t.file.Name(), t.path)
}

// remove deletes a file that did not get its name.
func (t *temporary) remove() {
	t.file.Close()
	_ = os.Remove(t.file.Name())
}
