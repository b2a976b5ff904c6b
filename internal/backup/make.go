package backup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nsfl-go/nsfl/index"
)

// Source is a collection that can be backed up: an *index.Collection.
type Source interface {
	Files(ctx context.Context, give func(index.Stats, index.File) error) error
}

// Made describes a new backup.
type Made struct {
	Manifest
	Added  int   // pieces that were not stored before
	New    int64 // their size in the collection
	Stored int64 // their compressed size
}

// Make backs up a collection under the given name. Batches continue meanwhile.
func (r *Repository) Make(ctx context.Context, name string, source Source) (*Made, error) {
	began := r.Now()
	made, err := r.make(ctx, name, source, began)
	if err != nil {
		return nil, fmt.Errorf("backing up %s to %s: %w", name, r, err)
	}
	return made, nil
}

func (r *Repository) make(ctx context.Context, name string, source Source, began time.Time) (*Made, error) {
	w := &maker{Repository: r}
	w.made.Manifest = Manifest{Format: manifestFormat, ID: newID(name, began), Time: began.UTC().Truncate(time.Millisecond), Collection: name}
	var err error
	if w.there, err = r.there(ctx, name, began); err != nil {
		return nil, err
	}
	w.uploads, w.ctx = errgroup.WithContext(ctx)
	w.uploads.SetLimit(atOnce)
	err = source.Files(ctx, w.add)
	if failed := w.uploads.Wait(); failed != nil {
		err = failed // the reason why the files were not read to the end
	}
	if err != nil {
		return nil, err
	}
	if took := r.Now().Sub(began); took > grace/2 {
		return nil, fmt.Errorf("it took %s, more than the limit of %s; run it again, it will reuse the pieces stored so far", took.Round(time.Minute), grace/2)
	}
	content, err := w.made.seal()
	if err != nil {
		return nil, err
	}
	w.made.Stored = w.stored.Load()
	return &w.made, r.place.Put(ctx, w.made.ID.name(manifestsFolder), content)
}

// there returns the pieces that a backup starting now can reuse.
func (r *Repository) there(ctx context.Context, name string, now time.Time) (map[Sum]bool, error) {
	items, err := r.place.List(ctx, piecesFolder)
	if errors.Is(err, ErrNone) {
		return map[Sum]bool{}, nil // the folder is created with its first file
	}
	if err != nil {
		return nil, err
	}
	named, err := r.namedByNewest(ctx, name)
	if err != nil {
		return nil, err
	}
	there := map[Sum]bool{}
	for _, item := range items {
		if s, ok := sumOf(item.Name); ok && (named[s] || now.Sub(item.Modified) < grace/2) {
			there[s] = true
		}
	}
	return there, nil
}

// namedByNewest returns the pieces of the newest backup of a collection, or none if that
// is damaged.
func (r *Repository) namedByNewest(ctx context.Context, name string) (map[Sum]bool, error) {
	named := map[Sum]bool{}
	ids, err := r.IDs(ctx, name)
	if err != nil || len(ids) == 0 {
		return named, err
	}
	m, err := r.Manifest(ctx, ids[0])
	if errors.As(err, new(*DamageError)) || errors.Is(err, fs.ErrNotExist) {
		return named, nil
	}
	if err != nil {
		return nil, err
	}
	m.addTo(named)
	return named, nil
}

// addTo adds the pieces of a backup to a set.
func (m *Manifest) addTo(named map[Sum]bool) {
	for _, f := range m.Files {
		for _, s := range f.Pieces {
			named[s] = true
		}
	}
}

// maker is one run of Make.
type maker struct {
	*Repository
	ctx     context.Context // for uploads
	there   map[Sum]bool
	uploads *errgroup.Group
	made    Made
	stored  atomic.Int64
}

// add stores a file, and adds it to the manifest.
func (w *maker) add(stats index.Stats, f index.File) error {
	w.made.Encoder, w.made.Documents, w.made.Generation = stats.Encoder, stats.Documents, stats.Generation
	file := File{Name: f.Name, Bytes: f.Length, Piece: w.pieceOf(f.Length, f.Grows), Pieces: []Sum{}}
	for at := int64(0); at < f.Length; at += file.Piece {
		content := make([]byte, min(file.Piece, f.Length-at))
		if _, err := io.ReadFull(f, content); err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
		s := Sum(sha256.Sum256(content))
		file.Pieces = append(file.Pieces, s)
		if w.there[s] {
			continue
		}
		w.there[s] = true
		w.made.Added++
		w.made.New += int64(len(content))
		w.uploads.Go(func() error {
			n, err := w.putPiece(w.ctx, s, content)
			w.stored.Add(int64(n))
			return err
		})
		if err := w.ctx.Err(); err != nil {
			return err
		}
	}
	w.made.Files = append(w.made.Files, file)
	return nil
}
