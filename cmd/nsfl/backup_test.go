package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/backup/s3test"
)

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	made(t, at("notes"), "x", 300)
	// Whoever writes the collection goes on.
	writer, err := index.Open(t.Context(), at("notes"), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for _, place := range []string{at("backups"), s3test.New(t).Address("nsfl")} {
		made := func(args ...string) (out struct {
			ID           string
			Documents    int
			PiecesStored int `json:"pieces_stored"`
		}) {
			t.Helper()
			if err := json.Unmarshal([]byte(must(t, append([]string{"backup", "-c", at("notes"), "--to", place, "--json"}, args...)...)), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		first, again := made(), made()
		if first.Documents != 300 || first.PiecesStored == 0 || again.PiecesStored != 0 || !strings.HasPrefix(first.ID, "notes/") {
			t.Errorf("made %+v, then %+v", first, again)
		}
		made("--name", "other")
		if out := must(t, "backup", "list", place); !strings.Contains(out, first.ID) || !strings.Contains(out, "3 backups in ") {
			t.Errorf("listed: %s", out)
		}
		if out := must(t, "backup", "verify", place, "--of", "notes"); !strings.HasPrefix(out, "2 backups, ") {
			t.Errorf("verified: %s", out)
		}
		if code, _, errs := cli("", "restore", "--from", place, at("x")); code != exitFailed || !strings.Contains(errs, "--of NAME") {
			t.Errorf("of several collections: %d, %s", code, errs)
		}
		restored := filepath.Join(t.TempDir(), "restored")
		if out := must(t, "restore", "--from", place, "--id", first.ID, restored); !strings.Contains(out, "300 documents") {
			t.Errorf("restored: %s", out)
		}
		must(t, "verify", "-c", restored)
		if code, _, errs := cli("", "restore", "--from", place, "--of", "notes", restored); code != exitFailed || !strings.Contains(errs, "already exists") {
			t.Errorf("over a collection: %d, %s", code, errs)
		}
		if out := must(t, "backup", "prune", place, "--keep-last", "1"); !strings.Contains(out, "deleted: "+first.ID) || !strings.Contains(out, "1 backups deleted, and 0 pieces") {
			t.Errorf("pruned: %s", out)
		}
	}
	var piece string
	if err := filepath.WalkDir(at("backups/pieces"), func(path string, e os.DirEntry, err error) error {
		if !e.IsDir() {
			piece = path
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(piece, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := cli("", "backup", "verify", at("backups")); code != exitFailed || !strings.Contains(out, filepath.Base(piece)) || !strings.Contains(errs, "damaged") {
		t.Errorf("damaged: %d, %s%s", code, out, errs)
	}
}

func TestBackupMistakes(t *testing.T) {
	dir := t.TempDir()
	made(t, filepath.Join(dir, "notes"), "x", 1)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no place for the backup is named", []string{"backup", "-c", filepath.Join(dir, "notes")}},
		{"not ftp://", []string{"backup", "-c", filepath.Join(dir, "notes"), "--to", "ftp://x"}},
		{"--from is missing", []string{"restore", filepath.Join(dir, "new")}},
		{"say how many backups of each collection to keep", []string{"backup", "prune", dir}},
		{"the server's own tools do that", []string{"backup", "-c", "postgres://db/x", "--to", dir}},
	} {
		if code, _, errs := cli("", c.args...); code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%q: %d, %s", c.args, code, errs)
		}
	}
}
