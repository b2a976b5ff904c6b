package vectors

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// writeTable writes rows of any type with the library itself.
func writeTable[T any](t testing.TB, rows ...T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.parquet")
	file, err := os.Create(path)
	must(t, err)
	w := parquet.NewGenericWriter[T](file)
	_, err = w.Write(rows)
	must(t, err)
	must(t, w.Close())
	must(t, file.Close())
	return path
}

type (
	plain[T any] struct {
		Vector []T `parquet:"vector,list"`
	}
	twice struct {
		ID    string    `parquet:"id"`
		Other string    `parquet:"_id"`
		V     []float32 `parquet:"vector,list"`
	}
	picture struct {
		Vector []float64 `parquet:"vector,optional"`
		Image  []byte    `parquet:"image"`
		Deep   [][]int64 `parquet:"deep,list"`
		Meta   struct {
			Year int32  `parquet:"year"`
			Name string `parquet:"name"`
		} `parquet:"metadata"`
	}
	bytesText struct {
		Text   []byte  `parquet:"text"`
		Vector []int64 `parquet:"vector,list"`
	}
	clash struct {
		Year     int32  `parquet:"year"`
		Metadata string `parquet:"metadata"`
	}
)

func TestTables(t *testing.T) {
	p := picture{Vector: []float64{1, 2}, Image: []byte{0xff, 0xd8}, Deep: [][]int64{{1}}}
	p.Meta.Year, p.Meta.Name = 2001, "n"
	path := writeTable(t, p, p)
	want := Row{Vector: []float32{1, 2}, Metadata: []byte(`{"year":2001,"name":"n"}`)}
	same(t, "picture", readAll(t, path, ReadOptions{}), []Row{want, want})
	r, err := Open(path, ReadOptions{})
	must(t, err)
	defer r.Close()
	same(t, "skipped", r.Skipped(), []string{"image", "deep.list.element.list.element"})
	same(t, "bytes as text", readAll(t, writeTable(t, bytesText{[]byte("ö"), []int64{-7}}), ReadOptions{}), []Row{{Text: "ö", Vector: []float32{-7}}})
}

func TestCodecs(t *testing.T) {
	for codec, says := range map[string]string{"lz4_raw": "LZ4_RAW", "brotli": "BROTLI"} {
		if err := firstError("testdata/duckdb_"+codec+".parquet", ReadOptions{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "compressed with "+says) {
			t.Error(err)
		}
	}
}

func TestBadTables(t *testing.T) {
	one := float32(1)
	for _, c := range []struct {
		path string
		kind error
		row  int64
		says string
	}{
		{writeTable(t, plain[float32]{[]float32{1, 2}}, plain[float32]{[]float32{1}}), ErrDimension, 1, "dimension 1"},
		{writeTable(t, plain[float32]{[]float32{1, 2}}, plain[float32]{}), ErrDimension, 1, "it has no vector"},
		{writeTable(t, plain[float32]{[]float32{1, 2}}, plain[float32]{[]float32{1, nan}}), ErrNotFinite, 1, "component 1"},
		{writeTable(t, plain[float64]{[]float64{1, 1e300}}), ErrNotFinite, 0, "component 1"},
		{writeTable(t, plain[float64]{[]float64{0, 0}}), ErrZero, 0, "no direction"},
		{writeTable(t, plain[*float32]{[]*float32{&one, nil}}), ErrFormat, 0, "null"},
		{writeTable(t, plain[int64]{[]int64{1<<24 + 1}}), ErrFormat, 0, "not exact"},
		{writeTable(t, plain[uint32]{[]uint32{1 << 31}}), ErrFormat, -1, "not a list of numbers"},
		{writeTable(t, plain[string]{[]string{"1"}}), ErrFormat, -1, "not a list of numbers"},
		{writeTable(t, twice{"a", "b", []float32{1}}), ErrFormat, -1, "id and _id"},
		{writeTable(t, bytesText{[]byte{0xff}, []int64{1}}), ErrFormat, 0, "UTF-8"},
		{writeTable(t, clash{2001, `{"year":2002}`}), ErrFormat, 0, "rename"},
		{writeTable(t, clash{2001, `[1]`}), ErrFormat, 0, "metadata"},
		{writeTable[plain[float32]](t), ErrEmpty, -1, "no row"},
	} {
		err := firstError(c.path, ReadOptions{})
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Row != c.row || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q, row %d, %q", err, c.kind, c.row, c.says)
		}
	}
}

// TestRuns adds up runs as the format defines them.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		b      []byte
		width  int
		values int32
		good   bool
	}{
		{nil, 1, 0, true},
		{[]byte{6, 1}, 1, 3, true},                             // three times a value
		{[]byte{3, 0xff, 6, 1}, 1, 11, true},                   // eight values, three times one
		{[]byte{5, 1, 2, 3, 4, 5, 6, 6, 1}, 3, 19, true},       // sixteen of three bits
		{[]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 1}, 1, 3, false}, // two billion times
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1}, 0, 3, false}, // two billion eights, of no bits
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff}, 1, 3, false},    // a number without an end
		{[]byte{0x90, 0x10, 1, 0x90, 0x10, 1}, 1, 9, false},    // twice 1,032
	} {
		if err := checkRuns(c.b, c.width, c.values); (err == nil) != c.good {
			t.Errorf("%v: %v", c.b, err)
		}
	}
}
