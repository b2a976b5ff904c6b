package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// Keep selects the backups of a collection to keep. The newest is always kept.
type Keep struct {
	Last   int // the newest N
	Daily  int // the newest of each of the last N days with backups, in UTC
	Weekly int // the newest of each of the last N weeks with backups, starting on Mondays
}

// dropped returns the ids to remove. ids are those of one collection, newest first.
func (k Keep) dropped(ids []ID) (drop []ID) {
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	week := func(t time.Time) string { y, w := t.ISOWeek(); return fmt.Sprint(y, "-", w) }
	days, weeks := map[string]bool{}, map[string]bool{}
	for i, id := range ids {
		stays := i < max(k.Last, 1)
		for _, period := range []struct {
			seen map[string]bool
			name string
			most int
		}{{days, day(id.Time()), k.Daily}, {weeks, week(id.Time()), k.Weekly}} {
			if !period.seen[period.name] && len(period.seen) < period.most {
				period.seen[period.name] = true
				stays = true
			}
		}
		if !stays {
			drop = append(drop, id)
		}
	}
	return drop
}

// Pruned reports what Prune removed.
type Pruned struct {
	Backups []ID  `json:"backups"`
	Pieces  int   `json:"pieces"`
	Bytes   int64 `json:"bytes"` // compressed size of the pieces
}

// Prune removes the backups of a collection, or of all collections if the name is empty,
// that keep does not select, and the pieces that are no longer needed. Pieces of backups
// pruned now are deleted a day later. The package documentation explains the rule.
func (r *Repository) Prune(ctx context.Context, collection string, keep Keep) (*Pruned, error) {
	pruned := &Pruned{Backups: []ID{}}
	ids, err := r.IDs(ctx, collection)
	if err != nil {
		return nil, err
	}
	for len(ids) > 0 {
		of := ids[0].Collection()
		n := slices.IndexFunc(ids, func(id ID) bool { return id.Collection() != of })
		if n < 0 {
			n = len(ids)
		}
		for _, id := range keep.dropped(ids[:n]) {
			if err := r.retire(ctx, id); err != nil {
				return pruned, err
			}
			pruned.Backups = append(pruned.Backups, id)
		}
		ids = ids[n:]
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
