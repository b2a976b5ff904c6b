package vectors

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestNumpy reads what numpy wrote (testdata/make_npy.py).
func TestNumpy(t *testing.T) {
	for _, name := range []string{"f4", "f2", "f8", "i1", "version2", "version3"} {
		same(t, name, vectorsOf(readAll(t, filepath.Join("testdata", name+".npy"), "")), grid())
	}
	same(t, "one axis", vectorsOf(readAll(t, "testdata/one_axis.npy", "")), grid()[1:2])
	same(t, "column", vectorsOf(readAll(t, "testdata/column.npy", "")), [][]float32{{1}, {4}, {7}})
	same(t, "u1", vectorsOf(readAll(t, "testdata/u1.npy", "")), [][]float32{{1, 3, 5, 7}, {4, 6, 8, 10}, {7, 9, 11, 13}})
}

// TestLikeNumpy compares written files with numpy's, byte by byte.
func TestLikeNumpy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f4.npy")
	var rows []Row
	for _, v := range grid() {
		rows = append(rows, Row{Vector: v})
	}
	writeAll(t, path, rows)
	got, err := os.ReadFile(path)
	must(t, err)
	want, err := os.ReadFile("testdata/f4.npy")
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q as numpy writes it", got, want)
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
		same(t, c.name, vectorsOf(readAll(t, put(t, c.name, c.content), "")), c.want)
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
