package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// TestEviction writes several times what the file may hold. Entries in regular use stay;
// the others are evicted in the order they were written.
func TestEviction(t *testing.T) {
	const limit = 2 << 20
	dir := t.TempDir()
	f := newFake("a")
	f.id.Dimension = 384
	c := openTest(t, f, dir, Options{MaxBytes: limit})
	var size, vacuum int // 2 is incremental
	must(t, c.store.db.QueryRow(`SELECT page_size, auto_vacuum FROM pragma_page_size, pragma_auto_vacuum`).Scan(&size, &vacuum))
	if size != pageSize || vacuum != 2 {
		t.Errorf("got pages of %d bytes and vacuum mode %d, want %d and 2", size, vacuum, pageSize)
	}
	favourites := numbered(-20, 0)
	expect(t, c, encoder.Document, favourites...)
	asked := f.encoded()
	const batches, each = 50, 50 // about 4 MB
	for i := range batches {
		expect(t, c, encoder.Document, numbered(i*each, (i+1)*each)...)
		expect(t, c, encoder.Document, favourites...)
		if s := c.Stats(); s.Bytes > limit {
			t.Fatalf("%d bytes are in use, the limit is %d", s.Bytes, limit)
		}
	}
	if n := f.encoded() - asked; n != batches*each {
		t.Errorf("%d texts were encoded, want %d: some in regular use were evicted", n, batches*each)
	}

	// Going back from the newest, texts are stored up to the first missing one.
	asked = f.encoded()
	there := 0
	for i := batches*each - 1; i >= 0; i-- {
		var e [1]entry
		e[0].key = keyOf(c.sum, f.id.Prefixes.Document, fmt.Sprint("text ", i))
		c.find(t.Context(), e[:])
		if e[0].vector == nil {
			break
		}
		there++
	}
	if most := limit / (4 * 384); there < most/2 || there > most {
		t.Errorf("%d texts are stored, want about %d", there, most)
	}
	first := numbered(0, 1)
	expect(t, c, encoder.Document, first...)
	if f.encoded() != asked+1 {
		t.Error("the oldest text was not evicted")
	}
	must(t, c.Close())
	expectSize(t, dir, limit)

	// A lower limit takes effect at the next write.
	c = openTest(t, f, dir, Options{MaxBytes: limit / 2})
	expect(t, c, encoder.Document, "one more")
	must(t, c.Close())
	expectSize(t, dir, limit/2)
	expect(t, openTest(t, f, dir, Options{MaxBytes: limit / 2}), encoder.Document, "one more")
}

// expectSize checks the file size of a closed cache.
func expectSize(t *testing.T, dir string, limit int64) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, fileName))
	must(t, err)
	if info.Size() > limit || info.Size() < limit*3/4 {
		t.Errorf("the file has %d bytes, want slightly less than %d", info.Size(), limit)
	}
}

// Lookups do not write to the file while it has free space.
func TestHitsDoNotWrite(t *testing.T) {
	dir := t.TempDir()
	c := openTest(t, newFake("a"), dir, Options{})
	texts := numbered(0, 100)
	expect(t, c, encoder.Document, texts...)
	must(t, c.Close())
	path := filepath.Join(dir, fileName)
	before, err := os.ReadFile(path)
	must(t, err)
	c = openTest(t, newFake("a"), dir, Options{})
	expect(t, c, encoder.Document, texts...)
	must(t, c.Close())
	after, err := os.ReadFile(path)
	must(t, err)
	if string(before) != string(after) {
		t.Error("the file has changed")
	}
}
