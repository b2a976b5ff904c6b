package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestNumpy reads what numpy wrote (testdata/make_npy.py).
func TestNumpy(t *testing.T) {
	for _, name := range []string{"f4", "f4_big", "f2", "f2_big", "f8", "f8_big", "i1", "version2", "version3"} {
		same(t, name, vectorsOf(readAll(t, filepath.Join("testdata", name+".npy"), ReadOptions{})), grid())
	}
	same(t, "one axis", vectorsOf(readAll(t, "testdata/one_axis.npy", ReadOptions{})), grid()[1:2])
	same(t, "column", vectorsOf(readAll(t, "testdata/column.npy", ReadOptions{})), [][]float32{{1}, {4}, {7}})
	same(t, "u1", vectorsOf(readAll(t, "testdata/u1.npy", ReadOptions{})), [][]float32{{1, 3, 5, 7}, {4, 6, 8, 10}, {7, 9, 11, 13}})
}

// TestLikeNumpy compares written files with numpy's, byte by byte.
func TestLikeNumpy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f4.npy")
	var rows []Row
	for _, v := range grid() {
		rows = append(rows, Row{Vector: v})
	}
	writeAll(t, path, WriteOptions{}, rows)
	got, err := os.ReadFile(path)
	must(t, err)
	want, err := os.ReadFile("testdata/f4.npy")
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q as numpy writes it", got, want)
	}
}

// TestDuckDB reads what DuckDB wrote (testdata/make_parquet.mjs).
func TestDuckDB(t *testing.T) {
	g := grid()
	want := []Row{
		{ID: "d0", Title: "title 0", Text: "text ö 0", Vector: g[0]},
		{ID: "d1", Title: "title 1", Text: "text ö 1", Vector: g[1], Passages: []engine.Passage{{Text: "passage 0", Vector: g[1]}}},
		{ID: "d2", Text: "text ö 2", Vector: g[2], Passages: []engine.Passage{{Text: "passage 0", Vector: g[2]}, {Text: "passage 1", Vector: g[2]}}},
	}
	for i := range want {
		labels := fmt.Sprintf(`"labels":["a",null,"b%d"],`, i)
		if i == 1 {
			labels = ""
		}
		want[i].Metadata = fmt.Appendf(nil, `{"year":%d,"count":%d,"share":%g,"flag":%t,%s"day":"%s","at":"2024-02-28T01:02:03.5","outer.inner":%d,"outer.name":"n"}`,
			2000+i, 10*i, float64(i)/4, i == 1, labels, []string{"2024-02-28", "2024-02-29", "2024-03-01"}[i], i)
	}
	for _, codec := range []string{"zstd", "snappy", "gzip", "uncompressed"} {
		path := filepath.Join("testdata", "duckdb_"+codec+".parquet")
		same(t, codec, readAll(t, path, ReadOptions{}), want)
		r, err := Open(path, ReadOptions{})
		must(t, err)
		same(t, codec, r.Skipped(), []string{"deep.key_value.key", "deep.key_value.value"})
		must(t, r.Close())
	}
	rows := readAll(t, "testdata/duckdb_double.parquet", ReadOptions{})
	same(t, "double", vectorsOf(rows), g)
	if rows[2].ID != "2" {
		t.Errorf("id %q", rows[2].ID)
	}
	for _, name := range []string{"array", "tinyint"} {
		same(t, name, vectorsOf(readAll(t, "testdata/duckdb_"+name+".parquet", ReadOptions{})), g)
	}
	rows = readAll(t, "testdata/duckdb_groups.parquet", ReadOptions{})
	if len(rows) != 9000 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		if row.ID != fmt.Sprint(i) || row.Vector[1] != float32(i+1) {
			t.Fatalf("row %d: %+v", i, row)
		}
	}
}

// TestRepeated reads plain repeated values, not a list, under other names.
func TestRepeated(t *testing.T) {
	rows := readAll(t, "testdata/parquetjs_repeated.parquet", ReadOptions{Fields: Fields{ID: "name", Vector: "emb"}})
	same(t, "vectors", vectorsOf(rows), grid())
	if rows[0].ID != "d0" || rows[0].Metadata != nil {
		t.Errorf("%+v", rows[0])
	}
}

// build writes values one after the other, little-endian.
func build(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if s, ok := v.(string); ok {
			v = []byte(s)
		}
		if err := binary.Write(&b, little, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// TestBytes reads files that are spelled out here as the formats define them.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		want    [][]float32
	}{
		{"a.npy", npyShaped("<f4", "2, 2", f32s{1, 2, 3, 4}), [][]float32{{1, 2}, {3, 4}}},
		{"a.npy", npyShaped("<f8", "2, 2", []float64{1, 2, 3, 4}), [][]float32{{1, 2}, {3, 4}}},
		{"a.npy", npyShaped("<f2", "2, 2", []uint16{0x3c00, 0xc000, 1, 0x7bff}), [][]float32{{1, -2}, {0x1p-24, 65504}}},
		{"a.npy", npyShaped("|u1", "2, 2", []byte{1, 2, 3, 255}), [][]float32{{1, 2}, {3, 255}}},
		{"a.npy", npyShaped("|i1", "2, 2", []int8{-1, 2, 3, 4}), [][]float32{{-1, 2}, {3, 4}}},
		{"told_by_its_bytes", npyShaped("<f4", "2, 2", f32s{1, 2, 3, 4}), [][]float32{{1, 2}, {3, 4}}},
	} {
		same(t, c.name, vectorsOf(readAll(t, put(t, c.name, c.content), ReadOptions{})), c.want)
	}
}

// TestHalf compares every binary16 with arithmetic.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		exponent, fraction := h>>10&31, float64(h&1023)
		want := math.Ldexp(1024+fraction, exponent-25)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction, -24)
		case exponent == 31 && fraction == 0:
			want = math.Inf(1)
		case exponent == 31:
			if x := fromHalf(uint16(h)); x == x {
				t.Fatalf("%#x: got %g, want NaN", h, x)
			}
			continue
		}
		if h>>15 == 1 {
			want = -want
		}
		got := fromHalf(uint16(h))
		if float64(got) != want || math.Signbit(float64(got)) != (h>>15 == 1) {
			t.Fatalf("%#x: got %g, want %g", h, got, want)
		}
	}
}
