package vectors

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// firstError reads a file until something is wrong with it.
func firstError(path string, side string) error {
	r, err := Open(path, side)
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

// badFiles are files with one problem: its row (-1: the file as a whole), and part of the
// message.
var badFiles = []struct {
	name    string
	content []byte
	row     int
	says    string
}{
	{"a.npy", nil, -1, "empty"},
	{"a.npy", []byte("\x93NUMPY"), -1, "within its header"},
	{"a.npy", zipped("anything at all"), 0, "one object on each line"},
	{"a.npy", []byte("PK\x03\x04 an archive"), -1, "npz"},
	{"a.npy", []byte("\x80\x04\x95 a pickle.."), -1, "pickle"},
	{"a.npy", []byte("\x93NUMPY\x04\x00\x00\x00\x00\x00\x00\x00"), -1, "version 4"},
	{"a.npy", []byte("\x93NUMPY\x01\x00\x40\x00{'descr'"), -1, "within its header"},
	{"a.npy", []byte("\x93NUMPY\x02\x00\x40\x00"), -1, "within its header"},
	{"a.npy", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff1234567890"), -1, "4294967295 bytes"},
	{"a.npy", npyFile("{'descr': '<f4', 'shape': (1, 2), }", f32s{1, 2}), -1, "fortran_order"},
	{"a.npy", npyShaped("<f4", "9999999999999, 4", f32s{1, 2, 3, 4}), -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "4611686018427387904, 4", f32s{1, 2, 3, 4}), -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "1, 9999999999", f32s{1, 2, 3, 4}), -1, "the limit is 65536"},
	{"a.npy", npyShaped("<f4", "99999999999999999999, 4", f32s{1}), -1, "cannot be read"},
	{"a.npy", npyShaped("<f4", "-1, 4", f32s{1}), -1, "cannot be read"},
	{"a.npy", npyShaped("<f4", "1, 0"), -1, "dimension 0"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 3}), -1, "has bytes for 1"},
	{"a.npy", npyShaped("<f4", "1, 2", f32s{1, 2, 3}), -1, "4 more bytes"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 3, nan}), 1, "component 1"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{-inf, 2, 3, 4}), 0, "component 0"},
	{"a.npy", npyShaped("<f8", "1, 2", []float64{1, 1e300}), 0, "too large for float32"},
	{"a.npy", npyShaped("<f2", "1, 2", []uint16{0x3c00, 0x7c00}), 0, "component 1"},
	{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 0, float32(math.Copysign(0, -1))}), 1, "no direction"},
	{"a.npy", npyShaped("<c8", "1, 1", f32s{1, 2}), -1, "astype('float32')"},

	{"a.jsonl", []byte("\n \n"), -1, "no row"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n\n{\"vector\":[1,2,3]}"), 1, "row 1 (line 3)"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n{\"vector\":[]}"), 1, "it has no vector"},
	{"a.jsonl", []byte("{\"id\":1}\n{\"vector\":[1]}"), 1, "the rows before it have none"},
	{"a.jsonl", []byte("{\"vector\":[1,2]}\n{\"vector\":[1,2"), 1, "one object on each line"},
	{"a.jsonl", []byte("[{\"vector\":[1,2]}]"), 0, "jq -c '.[]'"},
	{"a.jsonl", []byte("{\n\"vector\":[1,2]}"), 0, "jq -c ."},
	{"a.jsonl", []byte("{\"vector\":[1,NaN]}"), 0, "JSON has no NaN"},
	{"a.jsonl", []byte("{\"vector\":[1,1e39]}"), 0, "component 1"},
	{"a.jsonl", []byte("{\"vector\":[1]}\n{\"vector\":[1e-99]}"), 1, "no direction"},
	{"a.jsonl", []byte("{\"vector\":[1,null]}"), 0, "component 1 is none"},
	{"a.jsonl", []byte("{\"vector\":[[1,2]]}"), 0, "component 0 is none"},
	{"a.jsonl", []byte("{\"vector\":[\"1\"]}"), 0, "component 0 is none"},
	{"a.jsonl", []byte("{\"vector\":\"1,2\"}"), 0, "list of numbers"},
	{"a.jsonl", []byte("{\"vector\":[1]} {\"vector\":[1]}"), 0, "after top-level value"},
	{"a.jsonl", []byte("{\"vector\":[1],\"embedding\":[1]}"), 0, "embedding and vector"},
	{"a.jsonl", []byte("{\"vector\":[1],\"n\":1,\"metadata\":{\"n\":2}}"), 0, "rename"},
	{"a.jsonl", []byte("{\"vector\":[1],\"metadata\":[]}"), 0, "not a JSON object"},
	{"a.jsonl", []byte("{\"vector\":[1],\"id\":{}}"), 0, "a string or a number"},
	{"a.jsonl", []byte("{\"vector\":[1],\"title\":3}"), 0, "title cannot be read: it has to be a string"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[{}]}"), 0, "it has to be a list of strings"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[1],[2]]}"), 0, "1 passages and 2"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_places\":[{},{}]}"), 0, "1 passages and 2 places"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_places\":[3]}"), 0, "heading, page and line"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\",\"b\"],\"passage_vectors\":[[1],[]]}"), 0, "all of them one"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[1,2]]}"), 0, "dimension 2, not 1"},
	{"a.jsonl", []byte("{\"vector\":[1],\"passages\":[\"a\"],\"passage_vectors\":[[0]]}"), 0, "passage"},
	{"a.jsonl", []byte("{\"id\":\"\xff\"}"), 0, "UTF-8"},
	{"a.jsonl", []byte("{\"vector\":[1" + strings.Repeat(",1", 1<<16) + "]}"), 0, "65537 components"},
	{"a.jsonl", bytes.Repeat([]byte(" "), maxLine+2<<20), 0, "more than 67108864 bytes"},
	{"a.jsonl.gz", zipped("{\"vector\":[1]}")[:20], 0, "ends too early"},
	{"a.jsonl.gz", zipped("")[:6], -1, "ends too early"},
	{"a.jsonl.gz", append(zipped("{\"vector\":[1]}\n"), "trailing"...), 1, "ends too early"},
	{"a.jsonl.gz", append(zipped("{\"vector\":[1]}\n"), "trailing bytes"...), 1, "something else follows"},

	{"a.parquet", []byte("PAR1....PAR1"), -1, "save it as JSON lines"},
	{"unknown", []byte("what is this"), 0, "one object on each line"},
	{"unknown.bin", []byte("\x28\xb5\x2f\xfd...."), -1, "zstd"},
}

func TestBadFiles(t *testing.T) {
	for _, c := range badFiles {
		path := put(t, c.name, c.content)
		err := firstError(path, "")
		prefix := fmt.Sprintf("reading %s: ", path)
		if c.row >= 0 {
			prefix += fmt.Sprintf("row %d", c.row)
		}
		if err == nil || !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), c.says) || c.row < 0 && strings.Contains(err.Error(), ": row ") {
			t.Errorf("%s %.60q: got %v\nwant row %d, %q", c.name, c.content, err, c.row, c.says)
		}
		if strings.HasPrefix(c.name, "a.jsonl") && c.row >= 0 && !strings.Contains(err.Error(), "(line ") {
			t.Errorf("%s: no line in %v", c.name, err)
		}
	}
}

// TestNumpyRefused reads what numpy wrote and is not read here.
func TestNumpyRefused(t *testing.T) {
	for name, says := range map[string]string{
		"fortran": "ascontiguousarray", "three_axes": "3 axes", "scalar": "0 axes", "int64": "astype('float32')",
		"f4_big": "astype('float32')", "records": "records", "no_rows": "no rows", "objects": "could run anything",
	} {
		err := firstError(filepath.Join("testdata", name+".npy"), "")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	if err := firstError("testdata/archive.npz", ""); err == nil || !strings.Contains(err.Error(), "numpy.save") {
		t.Error(err)
	}
}
