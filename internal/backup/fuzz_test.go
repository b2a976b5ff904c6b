package backup

import (
	"path"
	"strings"
	"testing"
	"time"
)

// FuzzManifest: an untrusted manifest names no file that a collection cannot have, and no
// piece beyond its file.
func FuzzManifest(f *testing.F) {
	id := newID("notes", time.Unix(1e9, 0))
	m := &Manifest{Format: 1, ID: id, Files: []File{{Name: "ledger.db", Bytes: 5, Piece: 4, Pieces: make([]Sum, 2)}}}
	whole, err := m.seal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	m.Files[0].Name = "../ledger.db"
	outside, _ := m.seal()
	f.Add(outside)
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := readManifest(id, content)
		if err != nil {
			return
		}
		for _, file := range m.Files {
			if path.Base(file.Name) != file.Name || strings.HasPrefix(file.Name, ".") {
				t.Errorf("a file %q", file.Name)
			}
			var n int64
			for i := range file.Pieces {
				if length := file.length(i); length < 1 || length > maxPiece {
					t.Errorf("a piece of %d bytes", length)
				}
				n += file.length(i)
			}
			if n != file.Bytes {
				t.Errorf("%d bytes in pieces, %d in all", n, file.Bytes)
			}
		}
	})
}

// TestManifestRefused: invalid seeds are rejected.
func TestManifestRefused(t *testing.T) {
	id := newID("notes", time.Unix(1e9, 0))
	for want, change := range map[string]func(*Manifest){
		"not a file of a collection": func(m *Manifest) { m.Files[0].Name = "../ledger.db" },
		"format 2":                   func(m *Manifest) { m.Format = 2 },
		"another backup":             func(m *Manifest) { m.ID = "notes/20200101T000000.000Z-00000000" },
		"do not add up to 9":         func(m *Manifest) { m.Files[0].Bytes = 9 },
		"in pieces of":               func(m *Manifest) { m.Files[0].Piece = maxPiece + 1 },
		"5 bytes in pieces ":         func(m *Manifest) { m.Files[0].Piece = 0 },
	} {
		m := &Manifest{Format: 1, ID: id, Files: []File{{Name: "ledger.db", Bytes: 5, Piece: 4, Pieces: make([]Sum, 2)}}}
		change(m)
		content, err := m.seal()
		must(t, err)
		if _, err := readManifest(id, content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

func FuzzID(f *testing.F) {
	f.Add("notes/20260102T030405.678Z-0123abcd")
	f.Add("../20260102T030405.678Z-0123abcd")
	f.Add("a%2Fb/20260102T030405.678Z-0123abcd")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseID(text)
		if err != nil {
			return
		}
		if name := id.name(manifestsFolder); path.Clean(name) != name || strings.Count(name, "/") != 2 || id.Time().IsZero() || id.Collection() == "" {
			t.Errorf("%q is kept as %q", text, name)
		}
	})
}
