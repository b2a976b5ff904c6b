package vectors

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// firstError reads a file until something is wrong with it.
func firstError(path string, o ReadOptions) error {
	r, err := Open(path, o)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		if _, err := r.Next(); err != nil {
			return err
		}
	}
}

func npyFile(header string, body ...any) []byte {
	return append(build("\x93NUMPY\x01\x00", uint16(len(header)), header), build(body...)...)
}

func npyShaped(descr, shape string, body ...any) []byte {
	return npyFile(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape), body...)
}

func zipped(content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(content))
	_ = z.Close()
	return b.Bytes()
}

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

type f32s = []float32

// badFiles are files with one problem: its kind, its row (-1: the file as a whole), and part of
// the message.
var badFiles = []struct {
	name    string
	content []byte
	kind    error
	row     int64
	says    string
}{
	{"a.npy", nil, ErrEmpty, -1, "empty"},
	{"a.npy", []byte("\x93NUMPY"), ErrTruncated, -1, "within its header"},
	{"a.npy", []byte("{\"id\":1}"), ErrFormat, -1, "not an npy file"},
	{"a.npy", zipped("anything at all"), ErrFormat, -1, "compressed with gzip"},
	{"a.npy.gz", zipped("anything at all"), ErrFormat, -1, "compressed with gzip"},
	{"a.npy", []byte("PK\x03\x04 an archive"), ErrFormat, -1, "npz"},
	{"a.npy", []byte("\x80\x04\x95 a pickle.."), ErrFormat, -1, "pickle"},
	{"a.npy", []byte("\x93NUMPY\x04\x00\x00\x00\x00\x00\x00\x00"), ErrFormat, -1, "version 4"},
	{"a.npy", []byte("\x93NUMPY\x01\x00\x40\x00{'descr'"), ErrTruncated, -1, "within its header"},
	{"a.npy", []byte("\x93NUMPY\x02\x00\x40\x00"), ErrTruncated, -1, "within its header"},
	{"a.npy", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff1234567890"), ErrFormat, -1, "4294967295 bytes"},
	{"a.npy", npyFile("{'descr': '<f4', 'shape': (1, 2), }", f32s{1, 2}), ErrFormat, -1, "fortran_order"},
	{"a.npy", npyShaped("<f4", "9999999999999, 4", f32s{1, 2, 3, 4}), ErrTruncated, -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "4611686018427387904, 4", f32s{1, 2, 3, 4}), ErrTruncated, -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "1, 9999999999", f32s{1, 2, 3, 4}), ErrDimension, -1, "the limit is 65536"},
	{"a.npy", npyShaped("<f4", "99999999999999999999, 4", f32s{1}), ErrFormat, -1, "cannot be read"},
	{"a.npy", npyShaped("<f4", "-1, 4", f32s{1}), ErrFormat, -1, "cannot be read"},
	{"a.npy", npyShaped("<f4", "1, 0"), ErrDimension, -1, "dimension 0"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 3}), ErrTruncated, -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "1, 2", f32s{1, 2, 3}), ErrTrailing, -1, "4 more bytes"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 3, nan}), ErrNotFinite, 1, "component 1"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{-inf, 2, 3, 4}), ErrNotFinite, 0, "component 0"},
	{"a.npy", npyShaped("<f8", "1, 2", []float64{1, 1e300}), ErrNotFinite, 0, "too large for float32"},
	{"a.npy", npyShaped("<f2", "1, 2", []uint16{0x3c00, 0x7c00}), ErrNotFinite, 0, "component 1"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 0, float32(math.Copysign(0, -1))}), ErrZero, 1, "no direction"},
	{"a.npy", npyShaped("<c8", "1, 1", f32s{1, 2}), ErrFormat, -1, "astype('float32')"},

	{"a.jsonl", []byte("\n \n"), ErrEmpty, -1, "no row"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n\n{\"vector\":[1,2,3]}"), ErrDimension, 1, "row 1 (line 3)"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n{\"vector\":[]}"), ErrDimension, 1, "it has no vector"},
	{"a.jsonl", []byte("{\"id\":1}\n{\"vector\":[1]}"), ErrDimension, 1, "the rows before it have none"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n{\"vector\":[1,2"), ErrFormat, 1, "one object on each line"},
	{"a.jsonl", []byte("[{\"vector\":[1,2]}]"), ErrFormat, 0, "jq -c '.[]'"},
	{"a.jsonl", []byte("{\n\"vector\":[1,2]}"), ErrFormat, 0, "jq -c ."},
	{"a.jsonl", []byte("{\"vector\":[1,NaN]}"), ErrFormat, 0, "JSON has no NaN"},
	{"a.jsonl", []byte("{\"vector\":[1,1e39]}"), ErrNotFinite, 0, "component 1"},
	{"a.jsonl", []byte("{\"vector\":[1]}\n{\"vector\":[1e-99]}"), ErrZero, 1, "no direction"},
	{"a.jsonl", []byte("{\"vector\":[1,null]}"), ErrFormat, 0, "component 1 is none"},
	{"a.jsonl", []byte("{\"vector\":[[1,2]]}"), ErrFormat, 0, "component 0 is none"},
	{"a.jsonl", []byte("{\"vector\":[\"1\"]}"), ErrFormat, 0, "component 0 is none"},
	{"a.jsonl", []byte("{\"vector\":\"1,2\"}"), ErrFormat, 0, "list of numbers"},
	{"a.jsonl", []byte("{\"vector\":[1]} {\"vector\":[1]}"), ErrFormat, 0, "something follows"},
	{"a.jsonl", []byte("{\"vector\":[1],\"embedding\":[1]}"), ErrFormat, 0, "vector and embedding"},
	{"a.jsonl", []byte("{\"vector\":[1],\"vector\":[1]}"), ErrFormat, 0, "twice"},
	{"a.jsonl", []byte("{\"vector\":[1],\"n\":1,\"metadata\":{\"n\":2}}"), ErrFormat, 0, "rename"},
	{"a.jsonl", []byte("{\"vector\":[1],\"metadata\":[]}"), ErrFormat, 0, "not a JSON object"},
	{"a.jsonl", []byte("{\"vector\":[1],\"id\":{}}"), ErrFormat, 0, "a string or a number"},
	{"a.jsonl", []byte("{\"vector\":[1],\"title\":3}"), ErrFormat, 0, "title cannot be read: it has to be a string"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[{}]}"), ErrFormat, 0, "it has to be a list of strings"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[1],[2]]}"), ErrDimension, 0, "1 passages and 2"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_places\":[{},{}]}"), ErrFormat, 0, "1 passages and 2 places"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_places\":[3]}"), ErrFormat, 0, "heading, page and line"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\",\"b\"],\"passage_vectors\":[[1],[]]}"), ErrDimension, 0, "all of them one"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[1,2]]}"), ErrDimension, 0, "dimension 2, not 1"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[0]]}"), ErrZero, 0, "passage"},
	{"a.jsonl", []byte("{\"id\":\"\xff\"}"), ErrFormat, 0, "UTF-8"},
	{"a.jsonl", []byte("{\"vector\":[1" + strings.Repeat(",1", 1<<16) + "]}"), ErrDimension, 0, "65537 components"},
	{"a.jsonl", bytes.Repeat([]byte(" "), maxLine+2<<20), ErrFormat, 0, "more than 67108864 bytes"},
	{"a.jsonl.gz", zipped("{\"vector\":[1]}")[:20], ErrTruncated, 0, "ends too early"},
	{"a.jsonl.gz", zipped("")[:6], ErrTruncated, -1, "ends too early"},
	{"a.jsonl.gz", append(zipped("{\"vector\":[1]}\n"), "trailing"...), ErrTruncated, 1, "ends too early"},
	{"a.jsonl.gz", append(zipped("{\"vector\":[1]}\n"), "trailing bytes"...), ErrFormat, 1, "something else follows"},

	{"a.parquet", []byte("PAR1"), ErrTruncated, -1, "does not end"},
	{"a.parquet", []byte("PAR1PAR1"), ErrTruncated, -1, "does not end"},
	{"a.parquet", []byte("PAR1\xff\xff\xff\xffPAR1"), ErrFormat, -1, "longer than the file"},
	{"a.parquet", []byte("PAR1\x00\x00\x00\x00PAR1"), ErrFormat, -1, "cannot be read"},
	// A schema of two billion elements, in a footer of eight bytes.
	{"a.parquet", []byte("PAR1\x15\x02\x19\xfc\xff\xff\xff\xff\x07\x09\x00\x00\x00PAR1"), ErrFormat, -1, "cannot be read"},
	{"a.parquet", npyShaped("<f4", "1, 2", f32s{1, 2}), ErrFormat, -1, "begins like an npy file"},

	{"unknown", []byte("what is this"), ErrFormat, -1, "name one of npy, parquet"},
	{"unknown.bin", []byte("\x28\xb5\x2f\xfd...."), ErrFormat, -1, "zstd"},
}

func TestBadFiles(t *testing.T) {
	for _, c := range badFiles {
		path := put(t, c.name, c.content)
		err := firstError(path, ReadOptions{})
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Row != c.row || e.File != path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %.60q: %v\nwant %q, row %d, %q", c.name, c.content, err, c.kind, c.row, c.says)
		}
		if c.row >= 0 && e != nil && e.Offset < 0 && e.Line == 0 {
			t.Errorf("%s: no place in %v", c.name, err)
		}
	}
}

// TestNumpyRefused reads what numpy wrote and is not read here.
func TestNumpyRefused(t *testing.T) {
	for name, says := range map[string]string{
		"fortran": "ascontiguousarray", "three_axes": "3 axes", "scalar": "0 axes", "int64": "astype('float32')",
		"records": "records", "no_rows": "no rows", "objects": "could run anything",
	} {
		err := firstError(filepath.Join("testdata", name+".npy"), ReadOptions{})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	if err := firstError("testdata/archive.npz", ReadOptions{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "numpy.save") {
		t.Error(err)
	}
}

func TestParquetColumns(t *testing.T) {
	for says, o := range map[string]ReadOptions{
		"no column nothing; there are: id, title, text": {Fields: Fields{Vector: "nothing"}},
		"the column text is not a list of numbers":      {Fields: Fields{Vector: "text", Text: "title", Title: "id", ID: "count"}},
		"the column vector is not text":                 {Fields: Fields{Title: "vector", Vector: "labels"}},
		"cannot stand for two things":                   {Fields: Fields{Title: "vector"}},
	} {
		if err := firstError("testdata/duckdb_zstd.parquet", o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestLongVector has one component more than a vector may have.
func TestLongVector(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeAll(t, path, WriteOptions{}, []Row{{Vector: slices.Repeat(f32s{1}, maxDimension+1)}})
	if err := firstError(path, ReadOptions{}); !errors.Is(err, ErrDimension) || !strings.Contains(err.Error(), "more than 65536 values") {
		t.Error(err)
	}
}

// TestDamagedParquet cuts a file at every byte and turns over every byte of it.
func TestDamagedParquet(t *testing.T) {
	good, err := os.ReadFile("testdata/parquetjs_repeated.parquet")
	must(t, err)
	path := filepath.Join(t.TempDir(), "a.parquet")
	o := ReadOptions{Fields: Fields{ID: "name", Vector: "emb"}}
	for i := range good {
		must(t, os.WriteFile(path, good[:i], 0o666))
		if err := firstError(path, o); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("cut at %d: %v", i, err)
		}
		// Most of these are seen, some only change a number.
		must(t, os.WriteFile(path, append(append(bytes.Clone(good[:i]), ^good[i]), good[i+1:]...), 0o666))
		_ = firstError(path, o)
	}
}
