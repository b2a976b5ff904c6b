package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCompare: a file is known again by its size and time, or by its content.
func TestCompare(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "first"})
	p := filepath.Join(root, "a.txt")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	write := func(content string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	compare := func(was Fingerprint) (Fingerprint, bool) {
		t.Helper()
		run, _ := New(Options{})
		for s, err := range run.Sources(context.Background(), root) {
			if err != nil {
				t.Fatal(err)
			}
			now, same, err := s.Compare(context.Background(), was)
			if err != nil {
				t.Fatal(err)
			}
			return now, same
		}
		t.Fatal("no source")
		return Fingerprint{}, false
	}

	write("first", old)
	first, same := compare(Fingerprint{})
	if same || first.Size != 5 || first.Modified != old.UnixNano() || len(first.SHA256) != 64 {
		t.Fatalf("new: %+v, %v", first, same)
	}
	trusted := first
	trusted.SHA256 = "not looked at"
	if now, same := compare(trusted); !same || now != trusted {
		t.Errorf("the same size and time: %+v, %v", now, same)
	}
	write("first", old.Add(time.Minute))
	if now, same := compare(first); !same || now.Modified != old.Add(time.Minute).UnixNano() || now.SHA256 != first.SHA256 {
		t.Errorf("touched: %+v, %v", now, same)
	}
	write("other", old.Add(time.Minute))
	if now, same := compare(first); same || now.SHA256 == first.SHA256 {
		t.Errorf("another content of the same size: %+v, %v", now, same)
	}
	write("longer than before", old)
	if now, same := compare(first); same || now.Size != 18 {
		t.Errorf("another size: %+v, %v", now, same)
	}
	// A change of a moment ago: the time must not be trusted the next time.
	fresh := time.Now()
	write("first", fresh)
	now, same := compare(first)
	if !same || now.Modified != 0 {
		t.Errorf("just written: %+v, %v", now, same)
	}
	write("other", fresh)
	if _, same := compare(now); same {
		t.Error("a second change at the same time was not seen")
	}

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := (Source{Path: p}).Compare(ended, first); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, _, err := (Source{Path: p + "none"}).Compare(context.Background(), first); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}
