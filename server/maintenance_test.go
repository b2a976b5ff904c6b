package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

func TestBackups(t *testing.T) {
	root := t.TempDir()
	a := start(t, Config{Root: root, Upkeep: Upkeep{BackupTo: filepath.Join(t.TempDir(), "backups")}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	if list := a.call(200, "GET", "/v1/collections/pets/backups", ""); len(list["backups"].([]any)) != 0 {
		t.Errorf("before the first: %v", list)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	first := a.call(201, "POST", "/v1/collections/pets/backups", "")
	if first["documents"] != 4.0 || first["stored"].(float64) <= 0 {
		t.Errorf("made: %v", first)
	}
	a.call(204, "DELETE", "/v1/collections/pets/documents/soup", "")
	second := a.call(201, "POST", "/v1/collections/pets/backups", "")
	if list := a.call(200, "GET", "/v1/collections/pets/backups", ""); at(list, "backups", 0, "id") != second["id"] || at(list, "backups", 1, "id") != first["id"] {
		t.Errorf("listed: %v", list)
	}
	if c := a.call(200, "GET", "/v1/collections/pets", ""); at(c, "health", "backup") != second["id"] {
		t.Errorf("described: %v", c)
	}

	restore := func(id any, name string) string { return fmt.Sprintf(`{"backup": %q, "name": %q}`, id, name) }
	if c := a.call(201, "POST", "/v1/restore", restore(first["id"], "again")); c["documents"] != 4.0 || c["name"] != "again" {
		t.Errorf("restored: %v", c)
	}
	if answer := a.call(200, "POST", "/v1/collections/again/search", `{"query": "soup"}`); ids(answer)[0] != "soup" {
		t.Errorf("searched: %v", answer)
	}
	a.call(200, "POST", "/v1/collections/again/documents", `{"text": "It can be written to."}`)
	a.fails("exists", "already", "POST", "/v1/restore", restore(first["id"], "pets"))
	a.fails("invalid", "cannot be a collection's name", "POST", "/v1/restore", restore(first["id"], "../pets"))
	a.fails("not_found", "is not the id of a backup", "POST", "/v1/restore", restore("../pets", "more"))
	a.fails("not_found", "does not exist or is incomplete", "POST", "/v1/restore", restore(strings.Replace(first["id"].(string), "pets/2", "pets/1", 1), "more"))
	a.fails("not_found", "no collection", "POST", "/v1/collections/nobody/backups", "")
	a.fails("not_found", "no collection", "GET", "/v1/collections/No%20name/backups", "")

	// A collection that is gone can be had back.
	a.call(204, "DELETE", "/v1/collections/pets", "")
	if c := a.call(201, "POST", "/v1/restore", restore(second["id"], "pets")); c["documents"] != 3.0 {
		t.Errorf("had back: %v", c)
	}
	left, err := filepath.Glob(filepath.Join(root, ".making-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A place that fails is not the client's to know more of.
func TestPlaceFails(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Upkeep: Upkeep{BackupTo: filepath.Join(t.TempDir(), "disk", "backups")}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	p := a.fails("unavailable", "the backup repository does not answer", "POST", "/v1/collections/pets/backups", "")
	if strings.Contains(fmt.Sprint(p), "disk") {
		t.Errorf("told: %v", p)
	}
}

func TestNoPlaceForBackups(t *testing.T) {
	a := withAnimals(t)
	a.fails("unavailable", "no backup repository", "POST", "/v1/collections/pets/backups", "")
	a.fails("unavailable", "no backup repository", "GET", "/v1/collections/pets/backups", "")
	a.fails("unavailable", "no backup repository", "POST", "/v1/restore", `{"backup": "x", "name": "y"}`)
	for _, u := range []Upkeep{{BackupEvery: time.Hour}, {BackupKeep: -1}, {BackupTo: "ftp://x"}} {
		if s, err := New(Config{Upkeep: u}); err == nil {
			t.Errorf("%+v is accepted", u)
			s.Close()
		}
	}
}

// keptServer is a server that does its upkeep when it is told to, at a time that is told.
func keptServer(t *testing.T, root string, u Upkeep) (s *Server, now *time.Time) {
	t.Helper()
	s, err := New(Config{Root: root, Upkeep: u})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	now = new(time.Now())
	s.keeper.now = func() time.Time { return *now }
	return s, now
}

// fill makes a collection of documents that need no encoder.
func fill(t *testing.T, s *Server, name string, n int) {
	t.Helper()
	ctx := t.Context()
	if err := s.collections.Make(ctx, name, ""); err != nil {
		t.Fatal(err)
	}
	c, release, err := s.collections.Use(ctx, name, true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Text: "text", Vector: make([]float32, c.Encoder().Identity().Dimension)}
		docs[i].Vector[i%7] = 1
	}
	if err := c.Store().Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	s.keeper.wrote(name)
}

// The times of backups come from the repository, so a restarted server continues the
// schedule. Old backups are deleted.
func TestBackupSchedule(t *testing.T) {
	root := t.TempDir()
	u := Upkeep{BackupTo: filepath.Join(t.TempDir(), "backups"), BackupEvery: 24 * time.Hour, BackupKeep: 2}
	s, now := keptServer(t, root, u)
	fill(t, s, "one", 3)
	fill(t, s, "two", 3)
	began := *now
	count := func(s *Server) (n int) {
		t.Helper()
		ids, err := s.keeper.backups.IDs(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 2}, {time.Hour, 2}, {23 * time.Hour, 2}, {27 * time.Hour, 4}, {28 * time.Hour, 4}, {54 * time.Hour, 4}, {81 * time.Hour, 4}} {
		*now = began.Add(step.after)
		s.keeper.backups.Now = s.keeper.now
		s.keeper.round(t.Context())
		if n := count(s); n != step.want {
			t.Errorf("after %s there are %d backups, want %d", step.after, n, step.want)
		}
	}
	last := s.keeper.health("one").BackedUp
	if last == nil || began.Add(81*time.Hour).Sub(*last).Abs() > time.Second {
		t.Errorf("the last was made at %v", last)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, later := keptServer(t, root, u)
	*later = began.Add(90 * time.Hour)
	again.keeper.round(t.Context())
	if got := again.keeper.health("one").BackedUp; got == nil || !got.Equal(*last) {
		t.Errorf("the server that was started again has backed up at %v, before that %v", got, last)
	}
}

// A failed backup is reported, and tried again later.
func TestBackupFails(t *testing.T) {
	place := filepath.Join(t.TempDir(), "disk", "backups")
	s, now := keptServer(t, t.TempDir(), Upkeep{BackupTo: place, BackupEvery: time.Hour})
	fill(t, s, "one", 3)
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); h == nil || !strings.Contains(h.BackupProblem, "failed") {
		t.Errorf("a disk that is not there: %+v", h)
	}
	if err := os.Mkdir(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); h.Backup != "" {
		t.Errorf("tried again at once: %+v", h)
	}
	*now = now.Add(time.Hour)
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); h.Backup == "" || h.BackupProblem != "" {
		t.Errorf("an hour later: %+v", h)
	}
}

func TestCompactsByItself(t *testing.T) {
	s, _ := keptServer(t, t.TempDir(), Upkeep{CompactDocuments: 10, CompactPercent: 20})
	fill(t, s, "one", 100)
	c, release, err := s.collections.Use(t.Context(), "one", true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	remove := func(from, to int) {
		t.Helper()
		var ids []string
		for i := from; i < to; i++ {
			ids = append(ids, fmt.Sprint(i))
		}
		if _, err := c.Delete(t.Context(), ids...); err != nil {
			t.Fatal(err)
		}
		s.keeper.wrote("one")
		s.keeper.round(t.Context())
	}
	remove(0, 19)
	if d, err := s.describe(t.Context(), "one"); err != nil || d.Deleted != 19 || d.Health != nil {
		t.Errorf("with a fifth not deleted yet: %+v, %v", d, err)
	}
	remove(19, 20)
	if d, err := s.describe(t.Context(), "one"); err != nil || d.Deleted != 0 || d.Documents != 80 || d.Health.Compacted == nil {
		t.Errorf("with a fifth deleted: %+v, %v", d, err)
	}
}

func TestScrubsByItself(t *testing.T) {
	root := t.TempDir()
	u := Upkeep{ScrubEvery: time.Hour}
	s, now := keptServer(t, root, u)
	fill(t, s, "one", 100)
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); h == nil || h.Scrubbed == nil || len(h.Damage) != 0 {
		t.Fatalf("scrubbed: %+v", h)
	}
	damaged := filepath.Join(root, "one", "vectors-1.f32")
	content, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	content[1000] ^= 4
	if err := os.WriteFile(damaged, content, 0o600); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(59 * time.Minute)
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); len(h.Damage) != 0 {
		t.Errorf("scrubbed before its time: %+v", h)
	}
	*now = now.Add(2 * time.Minute)
	s.keeper.round(t.Context())
	if h := s.keeper.health("one"); len(h.Damage) != 1 || !strings.Contains(h.Damage[0], "vectors-1.f32") {
		t.Errorf("after a flip: %+v", h)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, _ := keptServer(t, root, u)
	if h := again.keeper.health("one"); h == nil || len(h.Damage) != 1 {
		t.Errorf("started again: %+v", h)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	again.keeper.round(cancelled)
}
