package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Pruned reports what Prune removed.
type Pruned struct {
	Backups []ID  `json:"backups"`
	Pieces  int   `json:"pieces"`
	Bytes   int64 `json:"bytes"` // compressed size of the pieces
}

// Prune removes all but the newest backups of a collection, or of each collection if the name is
// empty, and the pieces that are no longer needed. It keeps at least one backup. Pieces of backups
// pruned now are deleted a day later. The package documentation explains the rule.
func (r *Repository) Prune(ctx context.Context, collection string, keep int) (*Pruned, error) {
	pruned := &Pruned{Backups: []ID{}}
	ids, err := r.IDs(ctx, collection)
	if err != nil {
		return nil, err
	}
	kept := map[string]int{}
	for _, id := range ids { // newest first
		if kept[id.Collection()]++; kept[id.Collection()] <= max(keep, 1) {
			continue
		}
		if err := r.retire(ctx, id); err != nil {
			return pruned, err
		}
		pruned.Backups = append(pruned.Backups, id)
	}
	return pruned, r.sweep(ctx, pruned)
}

// retire removes a backup but not its pieces.
func (r *Repository) retire(ctx context.Context, id ID) error {
	content, err := r.place.Get(ctx, id.name(manifestsFolder), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = r.place.Put(ctx, id.name(prunedFolder), content)
	}
	if err == nil {
		err = r.place.Delete(ctx, id.name(manifestsFolder))
	}
	if err != nil {
		return fmt.Errorf("pruning backup %s: %w", id, err)
	}
	return nil
}

// sweep deletes unneeded pieces. The order of its steps matters; see the package
// documentation.
func (r *Repository) sweep(ctx context.Context, pruned *Pruned) error {
	isOld := func(item Item) bool { return r.Now().Sub(item.Modified) > grace }
	pieces, err := r.place.List(ctx, piecesFolder)
	if err != nil {
		return err
	}
	retired, err := r.place.List(ctx, prunedFolder)
	if err != nil {
		return err
	}
	needed, err := r.needed(ctx)
	if err != nil {
		return err
	}
	for _, item := range pieces {
		if s, ok := sumOf(item.Name); !ok || needed[s] || !isOld(item) {
			continue
		}
		if err := r.place.Delete(ctx, item.Name); err != nil {
			return err
		}
		pruned.Pieces++
		pruned.Bytes += item.Bytes
	}
	unfinished, err := r.place.List(ctx, newFolder)
	if err != nil {
		return err
	}
	for _, item := range append(retired, unfinished...) {
		if isOld(item) {
			if err := r.place.Delete(ctx, item.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// needed returns the pieces of all backups, including those pruned within the grace
// period.
func (r *Repository) needed(ctx context.Context) (map[Sum]bool, error) {
	needed := map[Sum]bool{}
	for _, folder := range []string{manifestsFolder, prunedFolder} {
		items, err := r.place.List(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			id, ok := idOf(folder, item.Name)
			if !ok || folder == prunedFolder && r.Now().Sub(item.Modified) > grace {
				continue
			}
			m, err := r.manifest(ctx, folder, id)
			if errors.Is(err, fs.ErrNotExist) {
				continue // pruned or deleted meanwhile
			}
			if err != nil {
				return nil, fmt.Errorf("%w; no piece is deleted until it can be read", err)
			}
			m.addTo(needed)
		}
	}
	return needed, nil
}
