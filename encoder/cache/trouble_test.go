package cache

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
)

// collectTrouble returns options that collect the errors passed to OnTrouble.
func collectTrouble(reported *[]error) Options {
	return Options{OnTrouble: func(err error) { *reported = append(*reported, err) }}
}

// filled returns the directory of a closed cache of 100 texts, and the content of its file.
func filled(t *testing.T) (dir string, content []byte) {
	t.Helper()
	dir = t.TempDir()
	c := openTest(t, newFake("a"), dir, Options{})
	expect(t, c, encoder.Document, numbered(0, 100)...)
	must(t, c.Close())
	content, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	return dir, content
}

// TestDamage damages the file in many ways. All vectors are still right, and the cache is
// sound afterwards.
func TestDamage(t *testing.T) {
	dir, sound := filled(t)
	r := rand.New(rand.NewPCG(1, 2))
	cases := map[string]struct {
		content  []byte
		reported bool // the damage is certain to be detected
	}{
		"no database": {[]byte(strings.Repeat("no database ", 1000)), true},
		"short":       {[]byte("x"), false}, // SQLite treats it as empty
		"zeros":       {make([]byte, len(sound)), true},
		"empty":       {nil, false},
		"header only": {sound[:100], true},
		"half":        {sound[:len(sound)/2], true},
		"no pages":    {append(bytes.Clone(sound[:pageSize]), make([]byte, len(sound)-pageSize)...), true},
	}
	for range 25 {
		at, n := r.IntN(len(sound)), 1+r.IntN(64)
		content := bytes.Clone(sound)
		for i := at; i < min(at+n, len(content)); i++ {
			content[i] ^= byte(1 + r.IntN(255))
		}
		c := cases["no database"]
		c.content, c.reported = content, false
		cases[fmt.Sprintf("%d bytes at %d", n, at)] = c
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, fileName), damage.content, 0o600))
			var reported []error
			c := Open(t.Context(), newFake("a"), dir, collectTrouble(&reported))
			for range 2 {
				expect(t, c, encoder.Document, numbered(0, 120)...)
			}
			must(t, c.Close())
			if damage.reported && len(reported) == 0 || len(reported) > 2 {
				t.Errorf("OnTrouble was called %d times: %v", len(reported), reported)
			}
			if len(reported) == 0 || strings.Contains(reported[len(reported)-1].Error(), "disabled") {
				return
			}
			if !strings.HasPrefix(reported[0].Error(), "the cache of vectors in "+dir+" was damaged and has been recreated: ") {
				t.Errorf("unexpected error: %v", reported[0])
			}
			f := newFake("a")
			c = openTest(t, f, dir, Options{})
			expect(t, c, encoder.Document, numbered(0, 120)...)
			if f.encoded() != 0 {
				t.Errorf("the new cache is missing %d texts", f.encoded())
			}
			must(t, c.Close())
			if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
				t.Errorf("left in the directory: %v, %v", files, err)
			}
		})
	}
	// The untouched file is sound.
	expect(t, openTest(t, newFake("a"), dir, Options{}), encoder.Document, numbered(0, 100)...)
}

// A value modified while the cache is open fails its checksum. All who share the file
// continue without it, and the next opening recreates it.
func TestDamageWhileOpen(t *testing.T) {
	dir, _ := filled(t)
	var reported []error
	first, second, third := newFake("a"), newFake("a"), newFake("a")
	a := Open(t.Context(), first, dir, collectTrouble(&reported))
	b := Open(t.Context(), second, dir, collectTrouble(&reported))
	for _, c := range []*Cache{a, b} {
		expect(t, c, encoder.Document, "text 7")
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	_, err = db.Exec(`UPDATE entries SET value = zeroblob(length(value))`)
	must(t, err)
	must(t, db.Close())
	expect(t, a, encoder.Document, "text 7", "new")
	expect(t, b, encoder.Document, "text 7")
	if len(reported) != 2 || first.encoded() != 2 || second.encoded() != 1 {
		t.Errorf("got errors %v; encoded %d and %d texts", reported, first.encoded(), second.encoded())
	}
	must(t, a.Close())
	must(t, b.Close())
	c := openTest(t, third, dir, Options{})
	for range 2 {
		expect(t, c, encoder.Document, "text 7")
	}
	if third.encoded() != 1 {
		t.Errorf("encoded %d texts after the damage", third.encoded())
	}
}

// Encoding works without a cache when the cache cannot be created.
func TestUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	taken := t.TempDir()
	must(t, os.Mkdir(filepath.Join(taken, fileName), 0o700))
	for _, dir := range []string{file, filepath.Join(file, "below"), taken} {
		var reported []error
		f := newFake("a")
		c := Open(t.Context(), f, dir, collectTrouble(&reported))
		expect(t, c, encoder.Document, "a", "b", "a")
		expect(t, c, encoder.Document, "a")
		s := c.Stats()
		if len(reported) != 1 || s.Misses != 3 || len(f.calls[0]) != 2 || !strings.Contains(reported[0].Error(), "in "+dir+" is unusable and disabled") {
			t.Errorf("got errors %v, stats %+v", reported, s)
		}
		must(t, c.Close())
	}
}

// A cache that stays locked too long is disabled and not waited for again.
func TestLocked(t *testing.T) {
	dir, _ := filled(t)
	var reported []error
	c := open(t.Context(), newFake("a"), dir, collectTrouble(&reported), 100*time.Millisecond)
	db, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	_, err = db.Exec(`BEGIN IMMEDIATE`)
	must(t, err)
	expect(t, c, encoder.Document, "text 7") // reading needs no lock
	if len(reported) != 0 {
		t.Errorf("got errors %v, want none", reported)
	}
	for range 3 {
		expect(t, c, encoder.Document, "new")
	}
	if len(reported) != 1 || !strings.Contains(reported[0].Error(), "was locked for 100ms and is disabled") {
		t.Errorf("got errors %v, want one about the lock", reported)
	}
	must(t, c.Close())
	must(t, db.Close())
}
