//go:build unix

package index

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// TestFlips flips one bit in a copy of every file, or clears the sector that contains it:
// Verify finds the damage, or everything readable is unchanged. It tries a few bytes;
// make torture tries as many as time allows.
func TestFlips(t *testing.T) {
	fresh := freshCopies(t)
	total, found := 0, 0
	var missed []string
	for _, closed := range []bool{true, false} {
		r := source(t, 51)
		dir := filepath.Join(t.TempDir(), "c")
		flippable(t, dir, closed)
		want, err := everything(t.Context(), openCopy(t, dir, fresh()))
		must(t, err)
		bytes := bytesOf(t, dir)
		r.Shuffle(len(bytes), func(i, j int) { bytes[i], bytes[j] = bytes[j], bytes[i] })
		slices.SortStableFunc(bytes, func(a, b byteAt) int { return a.turn - b.turn })
		for round := range rounds(t, 120, 4) {
			n := round % len(bytes)
			at, with := bytes[n], byte(1)<<r.IntN(8)
			to := fresh()
			must(t, os.CopyFS(to, os.DirFS(dir)))
			if round%5 == 4 {
				with = 0
				clearSector(t, filepath.Join(to, at.name), at.offset)
			} else {
				flip(t, filepath.Join(to, at.name), at.offset, with)
			}
			seen, err := noticed(t.Context(), to, want)
			if err != nil {
				missed = append(missed, fmt.Sprintf("closed %v: %s at %d, by %d: %v", closed, at.name, at.offset, with, err))
			}
			if seen {
				found++
			}
			total++
		}
	}
	if len(missed) > 0 {
		t.Errorf("%d of %d flips went unnoticed:\n%s", len(missed), total, strings.Join(missed[:min(len(missed), 20)], "\n"))
	}
	t.Logf("%d of %d found", found, total)
	tell(t, "flips", total)
}

// clearSector clears the sector at an offset.
func clearSector(t *testing.T, path string, at int64) {
	t.Helper()
	const sector = 512
	b, err := os.ReadFile(path)
	must(t, err)
	from := at / sector * sector
	clear(b[from:min(from+sector, int64(len(b)))])
	must(t, os.WriteFile(path, b, 0o666))
}

// flippable creates a collection with a little of everything. If it is not closed, the
// latest writes are in its log.
func flippable(t *testing.T, dir string, closed bool) {
	t.Helper()
	at := dir
	if !closed {
		at += "-open"
	}
	c, err := Create(t.Context(), at, Options{Dimension: testDim, Encoder: "an encoder"})
	must(t, err)
	// Include a compaction, batches, deletions and notes.
	for n := 20; n < 40; n++ {
		must(t, operationAt(n).run(t.Context(), c))
	}
	if !closed {
		must(t, os.CopyFS(dir, os.DirFS(at)))
		must(t, os.Remove(filepath.Join(dir, ledgerName+"-shm")))
	}
	must(t, c.Close())
}

// byteAt is a byte of a file. The most significant bytes come first: each round has some
// of the headers and some non-zero bytes of the rest.
type byteAt struct {
	name   string
	offset int64
	turn   int
}

// bytesOf returns all bytes of all files of a collection.
func bytesOf(t *testing.T, dir string) (bytes []byteAt) {
	t.Helper()
	headers, others := 0, 0
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		header := recordSize
		if strings.HasPrefix(name, ledgerName) {
			header = 150 // SQLite's header and its first page or frame header
		}
		for offset, b := range content {
			at := byteAt{name, int64(offset), 1 << 30}
			switch {
			case offset < header:
				headers++
				at.turn = headers % 16
			case b != 0:
				others++
				at.turn = others % 997
			}
			bytes = append(bytes, at)
		}
		return err
	}))
	return bytes
}

// openCopy opens a copy of a collection for the duration of the test.
func openCopy(t *testing.T, dir, to string) *Collection {
	t.Helper()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	c, err := Open(t.Context(), to, Options{})
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// noticed reports whether damage was found. err describes a change that was not noticed.
func noticed(ctx context.Context, dir, want string) (found bool, err error) {
	report, err := Verify(ctx, dir)
	if err != nil || len(report.Damage)+len(report.Doubts) > 0 {
		return true, nil
	}
	c, err := Open(ctx, dir, Options{})
	if err != nil {
		return false, fmt.Errorf("it does not open, but Verify found nothing: %w", err)
	}
	defer c.Close()
	got, err := everything(ctx, c)
	if err != nil {
		return false, fmt.Errorf("it cannot be read, but Verify found nothing: %w", err)
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return false, fmt.Errorf("it has %.80q where %.80q was written", got[max(0, i-20):], want[max(0, i-20):])
		}
	}
	if len(got) != len(want) {
		return false, fmt.Errorf("it has %d bytes where %d were written", len(got), len(want))
	}
	return false, nil
}

// everything returns all readable contents of a collection as text.
func everything(ctx context.Context, c *Collection) (string, error) {
	stats, err := c.Stats(ctx)
	if err != nil {
		return "", err
	}
	documents, _, err := c.List(ctx, engine.Page{Limit: 1000, Parts: engine.AllParts})
	if err != nil {
		return "", err
	}
	notes, err := c.Notes(ctx, "")
	if err != nil {
		return "", err
	}
	var searches []any
	for i, filter := range []string{"", "year:>=2000", "tag:a1", "in.deep:true"} {
		var node query.Node
		if filter != "" {
			f, err := query.Parse(filter)
			if err != nil {
				return "", err
			}
			node = f
		}
		v := make([]float32, c.dim)
		v[i], v[i+5] = 1, 0.5
		columns, err := c.Scan(ctx, [][]float32{v}, node)
		if err != nil {
			return "", err
		}
		hits, err := c.TopK(ctx, [][]float32{v}, 5, node)
		if err != nil {
			return "", err
		}
		searches = append(searches, columns, hits)
	}
	statistics, err := c.Statistics(ctx)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{stats, documents, notes, searches, fmt.Sprint(statistics)})
	return string(text), err
}
