package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// Place stores contents by name. Names are slash-separated paths.
type Place interface {
	// Put stores a content atomically, replacing any content of the same name. It is
	// durable when Put returns.
	Put(ctx context.Context, name string, content []byte) error
	// Get returns a content of at most most bytes. It returns fs.ErrNotExist if there is
	// none.
	Get(ctx context.Context, name string, most int64) ([]byte, error)
	// List returns all items in a folder, which ends with a slash. It may return ErrNone
	// if nothing was stored yet.
	List(ctx context.Context, folder string) ([]Item, error)
	// Delete removes a content, if it exists.
	Delete(ctx context.Context, name string) error
	// String returns the place in a form that may be shown.
	String() string
}

// ErrNone reports that the folder does not exist.
var ErrNone = errors.New("there is no such folder for backups")

// Item describes a content.
type Item struct {
	Name     string
	Bytes    int64
	Modified time.Time // by the clock of the place
}

// OpenPlace opens the place at an address s3://BUCKET/PREFIX, or in a folder.
func OpenPlace(address string) (Place, error) {
	switch scheme, _, ok := strings.Cut(address, "://"); {
	case address == "":
		return nil, fmt.Errorf("no place for backups given; use a folder or s3://BUCKET/PREFIX")
	case !ok:
		return folder{address}, nil
	case scheme == "s3":
		return openBucket(address)
	default:
		return nil, fmt.Errorf("a place for backups is a folder or s3://BUCKET/PREFIX?endpoint=https://HOST, not %s://…", scheme)
	}
}

// tooLarge reports that a content exceeds its maximum size.
func tooLarge(name string, most int64) error {
	return fmt.Errorf("%s is larger than %d bytes, the maximum in a backup", name, most)
}

// folder is a Place on a local disk.
type folder struct{ dir string }

// newFolder holds files being written, before they are renamed.
const newFolder = "new/"

func (f folder) String() string { return f.dir }

func (f folder) file(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f folder) Put(ctx context.Context, name string, content []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Create the folder but not its parents: an unmounted disk must not be mistaken for
	// an empty one.
	if err := os.Mkdir(f.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the folder for backups: %w", err)
	}
	for _, dir := range []string{f.file(newFolder), filepath.Dir(f.file(name))} {
		if err := durable.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return durable.WriteFile(f.file(name), f.file(newFolder), content) // Prune removes what is left in newFolder
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
