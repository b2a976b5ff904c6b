package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Place keeps contents by name. Names are made of parts with slashes between.
type Place interface {
	// Put keeps a content, all of it or nothing, in place of one of the same name.
	// When it returns, the content survives a power cut.
	Put(ctx context.Context, name string, content []byte) error
	// Get is a content of at most so many bytes. It fails with fs.ErrNotExist where
	// there is none.
	Get(ctx context.Context, name string, most int64) ([]byte, error)
	// List tells of all whose names begin with a folder, which ends with a slash. It
	// may fail with ErrNone where nothing was put yet.
	List(ctx context.Context, folder string) ([]Item, error)
	// Delete removes a content; there may be none.
	Delete(ctx context.Context, name string) error
	// String is the place as it may be shown.
	String() string
}

// ErrNone says that there is no such folder.
var ErrNone = errors.New("there is no such folder for backups")

// Item is what a place tells of a content.
type Item struct {
	Name     string
	Bytes    int64
	Modified time.Time // by the clock of the place
}

// OpenPlace is the place of an address, s3://BUCKET/PREFIX, or of a folder.
func OpenPlace(address string) (Place, error) {
	switch scheme, _, ok := strings.Cut(address, "://"); {
	case address == "":
		return nil, fmt.Errorf("no place for backups is named; give a folder, or s3://BUCKET/PREFIX")
	case !ok:
		return folder{address}, nil
	case scheme == "s3":
		return openBucket(address)
	default:
		return nil, fmt.Errorf("a place for backups is a folder or s3://BUCKET/PREFIX?endpoint=https://HOST, not %s://…", scheme)
	}
}

// tooLarge says that a content is not what it should be.
func tooLarge(name string, most int64) error {
	return fmt.Errorf("%s has more than %d bytes, which nothing of a backup has", name, most)
}
