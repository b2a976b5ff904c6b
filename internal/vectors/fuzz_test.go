package vectors

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// fuzz reads arbitrary bytes as a format. Whatever they are, errors name the file, the rows fit
// each other, and memory is bounded by the bytes that are there.
func fuzz(f *testing.F, extension string, seeds ...[]byte) {
	for _, c := range badFiles {
		if filepath.Ext(c.name) == extension && len(c.content) < 1<<12 {
			f.Add(c.content)
		}
	}
	for _, s := range seeds {
		f.Add(s)
	}
	// A folder for each worker: making one for each input would take longer than
	// reading it.
	path := filepath.Join(f.TempDir(), "a"+extension)
	f.Fuzz(func(t *testing.T, content []byte) {
		must(t, os.WriteFile(path, content, 0o666))
		rows, spent, err := readCounting(path)
		if !errors.Is(err, io.EOF) && !strings.HasPrefix(err.Error(), "reading "+path+": ") {
			t.Fatalf("an error without the file: %v", err)
		}
		limit := uint64(8<<20 + 200*len(content))
		if spent > limit {
			t.Fatalf("%d bytes were allocated for %d, the limit is %d: %v", spent, len(content), limit, err)
		}
		if extension != ".jsonl" || len(rows) == 0 {
			return
		}
		again := filepath.Join(filepath.Dir(path), "again.jsonl")
		writeAll(t, again, rows)
		if back := readAll(t, again, ""); !reflect.DeepEqual(back, rows) {
			t.Fatalf("read %+v, and back %+v", rows, back)
		}
	})
}

// readCounting reads all good rows and counts the bytes allocated meanwhile.
func readCounting(path string) (rows []Row, spent uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Open(path, "")
	if err != nil {
		runtime.ReadMemStats(&after)
		return nil, after.TotalAlloc - before.TotalAlloc, err
	}
	defer r.Close()
	for {
		row, err := r.Next()
		if err != nil {
			runtime.ReadMemStats(&after)
			return rows, after.TotalAlloc - before.TotalAlloc, err
		}
		rows = append(rows, row)
	}
}

func testFiles(f *testing.F, pattern string) (out [][]byte) {
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	must(f, err)
	if len(paths) == 0 {
		f.Fatalf("no %s in testdata", pattern)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		must(f, err)
		if len(content) < 1<<12 {
			out = append(out, content)
		}
	}
	return out
}

func FuzzNPY(f *testing.F) { fuzz(f, ".npy", testFiles(f, "*.npy")...) }

func FuzzJSONL(f *testing.F) {
	fuzz(f, ".jsonl", []byte(`{"id":"a","title":"t","text":"x","passages":["p"],"passage_vectors":[[2,1]],"metadata":{"a":[1]},"vector":[1,2],"n":1}`+"\n"),
		zipped("{\"_id\":1,\"embedding\":[1,2]}\n"))
}
