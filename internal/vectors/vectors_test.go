package vectors

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// grid are the rows of the files in testdata: 3i − 2j + 1.
func grid() [][]float32 {
	rows := make([][]float32, 3)
	for i := range rows {
		for j := range 4 {
			rows[i] = append(rows[i], float32(3*i-2*j+1))
		}
	}
	return rows
}

// readAll reads a file whose rows are all good.
func readAll(t testing.TB, path string, side string) []Row {
	t.Helper()
	r, err := Open(path, side)
	must(t, err)
	defer r.Close()
	var rows []Row
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		rows = append(rows, row)
	}
	if len(rows[0].Vector) > 0 && r.Dimension() != len(rows[0].Vector) {
		t.Errorf("%s: Dimension is %d, the first row has %d", path, r.Dimension(), len(rows[0].Vector))
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("%s: %v after the end", path, err)
	}
	return rows
}

func vectorsOf(rows []Row) [][]float32 {
	var out [][]float32
	for _, r := range rows {
		out = append(out, r.Vector)
	}
	return out
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// put writes a file for a test.
func put(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, content, 0o666))
	return path
}

// writeAll writes rows to a new file.
func writeAll(t testing.TB, path string, rows []Row) {
	t.Helper()
	w, err := Create(path)
	must(t, err)
	defer w.Abort()
	for _, row := range rows {
		must(t, w.Write(row))
	}
	must(t, w.Close())
}
