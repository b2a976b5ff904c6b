package backup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// later returns the repository with its clock moved forward.
func later(r *Repository, d time.Duration) *Repository {
	other := *r
	other.Now = func() time.Time { return time.Now().Add(d) }
	return &other
}

func TestPrune(t *testing.T) {
	inPlaces(t, func(t *testing.T, address string, file func(string) string) {
		ctx, c, r := t.Context(), collection(t), repository(t, address)
		must(t, c.Upsert(ctx, documents(0, 300, 1)))
		var made []*Made
		for version := range 3 {
			must(t, c.Upsert(ctx, documents(0, 300, version)))
			must(t, c.Compact(ctx))
			m, err := later(r, time.Duration(version)*time.Second).Make(ctx, "notes", c)
			must(t, err)
			made = append(made, m)
		}
		// Unreferenced pieces may belong to a backup in progress.
		_, err := r.Make(ctx, "notes", broken{c, func() error { return errors.New("killed") }})
		if err == nil {
			t.Error("it was to break off")
		}
		pruned, err := r.Prune(ctx, "notes", 2)
		if err != nil || len(pruned.Backups) != 1 || pruned.Backups[0] != made[0].ID || pruned.Pieces != 0 {
			t.Fatalf("pruned: %+v, %v", pruned, err)
		}
		if _, err := r.Manifest(ctx, made[0].ID); err == nil {
			t.Error("the manifest is still there")
		}
		pruned, err = later(r, grace+time.Hour).Prune(ctx, "", 2)
		if err != nil || len(pruned.Backups) != 0 || pruned.Pieces == 0 {
			t.Errorf("pruned a day later: %+v, %v", pruned, err)
		}
		expect(t, r, made[1].ID, documents(0, 300, 1))
		expect(t, r, made[2].ID, documents(0, 300, 2))
		if _, err := os.Stat(file(made[0].ID.name(prunedFolder))); err == nil {
			t.Error("a day later the pruned manifest is still there")
		}
		if report, err := r.Verify(ctx, ""); err != nil || report.Backups != 2 || len(report.Damage) > 0 {
			t.Errorf("verified: %+v, %v", report, err)
		}
		// While a manifest cannot be read, its pieces are unknown.
		must(t, os.WriteFile(file(made[2].ID.name(manifestsFolder)), []byte("{}"), 0o600))
		pruned, err = later(r, 10*grace).Prune(ctx, "", 1)
		if !errors.As(err, new(*DamageError)) || pruned.Pieces != 0 {
			t.Errorf("pruned beside a damaged manifest: %+v, %v", pruned, err)
		}
	})
}

// TestPruneBesideBackup: a backup reuses pieces whose last manifest is pruned while it
// runs.
func TestPruneBesideBackup(t *testing.T) {
	ctx, c := t.Context(), collection(t)
	dir := filepath.Join(t.TempDir(), "b")
	r := repository(t, dir)
	must(t, c.Upsert(ctx, documents(0, 300, 1)))
	first, err := later(r, -2*grace).Make(ctx, "notes", c)
	must(t, err)
	age(t, dir, 2*grace)
	other := collection(t)
	must(t, other.Upsert(ctx, documents(0, 5, 2)))
	second, err := r.Make(ctx, "notes", broken{c, func() error {
		if _, err := later(r, time.Minute).Make(ctx, "notes", other); err != nil {
			return err
		}
		pruned, err := r.Prune(ctx, "notes", 1)
		if err == nil && len(pruned.Backups) != 1 {
			t.Errorf("pruned: %+v", pruned)
		}
		return err
	}})
	must(t, err)
	if second.Added != 0 {
		t.Errorf("%d pieces were stored again", second.Added)
	}
	if _, err := r.Manifest(ctx, first.ID); err == nil {
		t.Error("the first backup was not pruned")
	}
	expect(t, r, second.ID, documents(0, 300, 1))
}

// age makes all files in a folder older.
func age(t *testing.T, dir string, d time.Duration) {
	t.Helper()
	then := time.Now().Add(-d)
	must(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	}))
}
