package vectors

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// fuzz reads arbitrary bytes as a format. Whatever they are, errors are typed, the
// rows fit each other, and memory is bounded by the bytes that are there.
func fuzz(f *testing.F, format Format, o ReadOptions, seeds ...[]byte) {
	for _, c := range badFiles {
		if FormatOf(c.name) == format && len(c.content) < 1<<12 {
			f.Add(c.content)
		}
	}
	for _, s := range seeds {
		f.Add(s)
	}
	// A folder for each worker: making one for each input would take longer than
	// reading it.
	path := filepath.Join(f.TempDir(), "a")
	o.Format = format
	f.Fuzz(func(t *testing.T, content []byte) {
		must(t, os.WriteFile(path, content, 0o666))
		rows, spent, err := readCounting(path, o)
		var e *Error
		if !errors.Is(err, io.EOF) && (!errors.As(err, &e) || e.Kind == nil || e.File != path) {
			t.Fatalf("not a typed error: %v", err)
		}
		limit := uint64(8<<20 + 200*len(content))
		if format == Parquet { // a page makes room for the values it tells, up to maxPageValues
			limit = 512 << 20
		}
		if spent > limit {
			t.Fatalf("%d bytes were allocated for %d, the limit is %d: %v", spent, len(content), limit, err)
		}
		if format != JSONL || len(rows) == 0 {
			return
		}
		again := filepath.Join(filepath.Dir(path), "again.jsonl")
		writeAll(t, again, WriteOptions{}, rows)
		if back := readAll(t, again, ReadOptions{}); !reflect.DeepEqual(back, rows) {
			t.Fatalf("read %+v, and back %+v", rows, back)
		}
	})
}

// readCounting reads all good rows and counts the bytes allocated meanwhile.
func readCounting(path string, o ReadOptions) (rows []Row, spent uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Open(path, o)
	if err != nil {
		runtime.ReadMemStats(&after)
		return nil, after.TotalAlloc - before.TotalAlloc, err
	}
	defer r.Close()
	for {
		row, err := r.Next()
		if err != nil && !goesOn(err) {
			runtime.ReadMemStats(&after)
			return rows, after.TotalAlloc - before.TotalAlloc, err
		}
		if err == nil {
			rows = append(rows, row)
		}
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

func FuzzNPY(f *testing.F) { fuzz(f, NPY, ReadOptions{}, testFiles(f, "*.npy")...) }

func FuzzJSONL(f *testing.F) {
	fuzz(f, JSONL, ReadOptions{}, []byte(`{"id":"a","title":"t","text":"x","passages":["p"],"passage_vectors":[[2,1]],"metadata":{"a":[1]},"vector":[1,2],"n":1}`+"\n"),
		zipped("{\"_id\":1,\"embedding\":[1,2]}\n"))
}

func FuzzParquet(f *testing.F) {
	fuzz(f, Parquet, ReadOptions{}, testFiles(f, "*.parquet")...)
}

// FuzzThrift goes through arbitrary descriptions, within the bytes they have.
func FuzzThrift(f *testing.F) {
	for _, file := range testFiles(f, "*.parquet") {
		f.Add(file[len(file)-8-int(little.Uint32(file[len(file)-8:])) : len(file)-8])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		size, err := skim(bytes.NewReader(content), 0, int64(len(content)))
		if size > int64(len(content)) || err == nil && size == 0 {
			t.Fatalf("%d of %d bytes, %v", size, len(content), err)
		}
	})
}
