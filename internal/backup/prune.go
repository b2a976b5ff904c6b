package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// Keep says which backups of a collection stay. The newest does in any case.
type Keep struct {
	Last   int // the newest so many
	Daily  int // the newest of each of so many days, of those that have any, by UTC
	Weekly int // the newest of each of so many weeks, which begin on Mondays
}

// dropped are those of a collection's backups, the newest first, that do not stay.
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

// Pruned is what Prune has taken away.
type Pruned struct {
	Backups []ID  `json:"backups"`
	Pieces  int   `json:"pieces"`
	Bytes   int64 `json:"bytes"` // that the pieces took
}

// Prune takes away the backups of a collection, or of all where its name is empty, that
// are not to be kept, and the pieces that nothing needs any more; the pieces of what was
// taken away now go a day later. The package says by which rule.
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

// retire takes a backup away; its pieces stay for now.
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

// sweep deletes what nothing needs. The order of its steps is the rule.
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

// needed are the pieces of all backups, and of those that were pruned within the grace.
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
				continue // pruned, or deleted, meanwhile
			}
			if err != nil {
				return nil, fmt.Errorf("%w; as long as it cannot be read no piece is deleted", err)
			}
			m.addTo(needed)
		}
	}
	return needed, nil
}
