package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
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
