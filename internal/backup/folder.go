package backup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// folder is a Place on a local disk.
type folder struct{ dir string }

// newFolder holds files being written, before they are renamed.
const newFolder = "new/"

func (f folder) String() string { return f.dir }

func (f folder) file(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f folder) Put(ctx context.Context, name string, content []byte) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Create the folder but not its parents: an unmounted disk must not be mistaken for
	// an empty one.
	if err := os.Mkdir(f.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the folder for backups: %w", err)
	}
	beside := f.file(newFolder + rand.Text())
	for _, dir := range []string{filepath.Dir(beside), filepath.Dir(f.file(name))} {
		if err := durable.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			_ = os.Remove(beside) // Prune removes leftovers
		}
	}()
	to, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = to.Write(content); err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	if err := os.Rename(beside, f.file(name)); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(f.file(name)))
}

func (f folder) Get(ctx context.Context, name string, most int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from, err := os.Open(f.file(name))
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return readAtMost(from, name, most)
}

func readAtMost(from io.Reader, name string, most int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(content)) > most {
		err = tooLarge(name, most)
	}
	return content, err
}

func (f folder) List(ctx context.Context, under string) (items []Item, err error) {
	if _, err := os.Stat(f.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("opening %s: %w", f.dir, ErrNone)
	}
	err = filepath.WalkDir(f.file(under), func(file string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil || e.IsDir() {
			return gone(err)
		}
		info, err := e.Info()
		if err != nil {
			return gone(err)
		}
		inside := strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(f.file(under)))
		items = append(items, Item{path.Join(under, inside), info.Size(), info.ModTime()})
		return nil
	})
	return items, err
}

// gone ignores that another process has already deleted a file.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (f folder) Delete(_ context.Context, name string) error { return gone(os.Remove(f.file(name))) }
