package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/durable"
)

// Restore writes a backup to an empty directory and verifies the collection. After an
// error the caller must remove the files.
func (r *Repository) Restore(ctx context.Context, id ID, dir string) (*Manifest, error) {
	m, err := r.Manifest(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range m.Files {
		if err := r.restoreFile(ctx, &m.Files[i], dir); err != nil {
			return nil, fmt.Errorf("restoring backup %s: %s: %w", id, m.Files[i].Name, err)
		}
	}
	if err := durable.SyncDir(dir); err != nil {
		return nil, err
	}
	report, err := index.Verify(ctx, dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("restoring backup %s: %w", id, err)
	case len(report.Damage) > 0:
		return nil, &DamageError{id, fmt.Errorf("the collection had %d damaged places when it was backed up, such as %v; restore an older backup", len(report.Damage), report.Damage[0])}
	case report.Documents != m.Documents:
		return nil, &DamageError{id, fmt.Errorf("it has %d documents, but the manifest says %d", report.Documents, m.Documents)}
	}
	return m, nil
}

// RestoreNew restores a backup to a directory that does not exist, and that appears
// completely or not at all.
func (r *Repository) RestoreNew(ctx context.Context, id ID, dir string) (m *Manifest, err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("restoring to %s: it already exists; use a new directory", dir)
	}
	err = durable.Create(dir, ".making-", 0o700, func(dir string) error {
		m, err = r.Restore(ctx, id, dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// restoreFile writes a file, several pieces at a time.
func (r *Repository) restoreFile(ctx context.Context, f *File, dir string) error {
	to, err := os.OpenFile(filepath.Join(dir, f.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = r.eachPiece(ctx, f, func(i int, content []byte) error {
		_, err := to.WriteAt(content, int64(i)*f.Piece)
		return err
	})
	if err == nil {
		err = to.Sync()
	}
	return errors.Join(err, to.Close())
}

// eachPiece reads the pieces of a file concurrently, in no particular order.
func (r *Repository) eachPiece(ctx context.Context, f *File, use func(i int, content []byte) error) error {
	reads, reading := errgroup.WithContext(ctx)
	reads.SetLimit(atOnce)
	for i, s := range f.Pieces {
		if reading.Err() != nil {
			break
		}
		reads.Go(func() error {
			content, err := r.getPiece(reading, s, f.length(i))
			if err != nil {
				return err
			}
			return use(i, content)
		})
	}
	return cmp.Or(reads.Wait(), ctx.Err())
}
