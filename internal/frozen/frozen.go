// Package frozen provides tests with development data from ../shared, next to the
// checkout: logic sets with their queries, and their vectors, precomputed with
// all-MiniLM-L6-v2. Tests that use it are skipped if the data is missing. No product code
// imports it.
package frozen

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Query is one query of a logic set. Truth is the same formula over labels.
type Query struct {
	ID       string `json:"_id"`
	Template string
	Formula  string
	Truth    string
}

// Dir returns the folder of the data, or skips the test if it is missing.
func Dir(t testing.TB) string {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "shared")
	if _, err := os.Stat(filepath.Join(dir, "vectors", "minilm")); err != nil {
		t.Skip("needs the development data in ../shared, next to the checkout")
	}
	return dir
}

// Queries returns the development queries of a set.
func Queries(t testing.TB, set string) []Query {
	var out []Query
	lines(t, filepath.Join(Dir(t), "data", set, "queries.dev.jsonl"), func(line []byte) {
		var q Query
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	})
	return out
}

// Labels returns the labels of each document of a set.
func Labels(t testing.TB, set string) []map[string]bool {
	var out []map[string]bool
	for _, d := range documents(t, set) {
		labels := map[string]bool{}
		for _, l := range d.Labels {
			labels[l] = true
		}
		out = append(out, labels)
	}
	return out
}

// Texts returns the documents of a set, with title and passages joined.
func Texts(t testing.TB, set string) []string {
	var out []string
	for _, d := range documents(t, set) {
		out = append(out, strings.TrimSpace(d.Title+" "+strings.Join(d.Passages, " ")))
	}
	return out
}

type document struct {
	Title            string
	Passages, Labels []string
}

func documents(t testing.TB, set string) (out []document) {
	lines(t, filepath.Join(Dir(t), "data", set, "corpus.jsonl.gz"), func(line []byte) {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	})
	return out
}

// Strings returns the vectors of all query strings.
func Strings(t testing.TB) map[string][]float32 {
	rows := Vectors(t, "strings")
	out := map[string][]float32{}
	i := 0
	lines(t, filepath.Join(Dir(t), "vectors", "minilm", "strings.txt"), func(line []byte) {
		out[string(line)] = rows[i]
		i++
	})
	return out
}

// Vectors reads unit vectors from NAME.npy, whose rows are int8.
func Vectors(t testing.TB, name string) [][]float32 {
	data, err := os.ReadFile(filepath.Join(Dir(t), "vectors", "minilm", name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("'descr': '|i1'")) || !bytes.Contains(data, []byte(", 384)")) {
		t.Fatalf("%s is not a matrix of int8 with 384 columns", name)
	}
	header := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	var out [][]float32
	for codes := range slices.Chunk(data[header:], 384) {
		row := make([]float32, len(codes))
		var norm float64
		for j, b := range codes {
			row[j] = float32(int8(b))
			norm += float64(row[j]) * float64(row[j])
		}
		for j := range row {
			row[j] = float32(float64(row[j]) / math.Sqrt(norm))
		}
		out = append(out, row)
	}
	return out
}

func lines(t testing.TB, path string, f func(line []byte)) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f(s.Bytes())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}
