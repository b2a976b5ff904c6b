package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// atOnce is the number of pieces transferred concurrently.
const atOnce = 4

// Repository is a place and the backups in it. It is safe for concurrent use.
type Repository struct {
	Now          func() time.Time // the clock
	place        Place
	piece, small int64 // maximum and minimum size of a piece
}

// Open opens the repository at an address; see OpenPlace.
func Open(address string) (*Repository, error) {
	place, err := OpenPlace(address)
	if err != nil {
		return nil, err
	}
	return New(place), nil
}

// New returns the repository in a place.
func New(place Place) *Repository { return &Repository{time.Now, place, maxPiece, minPiece} }

// String returns the place in a form that may be shown.
func (r *Repository) String() string { return r.place.String() }

// IDs returns the backups of a collection, or of all collections if the name is empty,
// newest first within each collection.
func (r *Repository) IDs(ctx context.Context, collection string) ([]ID, error) {
	return r.ids(ctx, manifestsFolder, collection)
}

func (r *Repository) ids(ctx context.Context, folder, collection string) ([]ID, error) {
	items, err := r.place.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	var ids []ID
	for _, item := range items {
		if id, ok := idOf(folder, item.Name); ok && (collection == "" || id.Collection() == collection) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	slices.SortStableFunc(ids, func(a, b ID) int {
		return strings.Compare(a.Collection(), b.Collection())
	})
	return ids, nil
}

// Manifest reads the manifest of a backup.
func (r *Repository) Manifest(ctx context.Context, id ID) (*Manifest, error) {
	return r.manifest(ctx, manifestsFolder, id)
}

// DamageError reports that a backup differs from what was stored.
type DamageError struct {
	ID      ID
	Problem error
}

func (e *DamageError) Error() string { return fmt.Sprintf("backup %s is damaged: %v", e.ID, e.Problem) }

func (e *DamageError) Unwrap() error { return e.Problem }

func (r *Repository) manifest(ctx context.Context, folder string, id ID) (*Manifest, error) {
	content, err := r.place.Get(ctx, id.name(folder), maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no backup %s in %s: %w", id, r, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("reading backup %s: %w", id, err)
	}
	m, err := readManifest(id, content)
	if err != nil {
		return nil, &DamageError{id, err}
	}
	return m, nil
}

// Choose returns the backup with the given id. If id is empty, it returns the newest of
// the collection; if that is empty too, the newest of the only collection.
func (r *Repository) Choose(ctx context.Context, id, collection string) (ID, error) {
	if id != "" {
		return ParseID(id)
	}
	ids, err := r.IDs(ctx, collection)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0 && collection != "":
		return "", fmt.Errorf("there is no backup of %s in %s; nsfl backup list shows all backups", collection, r)
	case len(ids) == 0:
		return "", fmt.Errorf("there is no backup in %s", r)
	case ids[0].Collection() != ids[len(ids)-1].Collection():
		return "", fmt.Errorf("%s has backups of several collections; choose one with --of NAME or --id ID; nsfl backup list shows them", r)
	}
	return ids[0], nil
}
