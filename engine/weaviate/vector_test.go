package weaviate

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

func TestVectors(t *testing.T) {
	whole, a, b := []float32{1, 0, 0}, []float32{0, -1, 0}, []float32{0.6, 0, 0.8}
	messages := []*wire.Vectors{vectorMessage(whole), vectorsMessage([][]float32{a, b})}
	if want := []byte{3, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xbf}; !bytes.HasPrefix(messages[1].VectorBytes, want) {
		t.Errorf("%x, want %x and more", messages[1].VectorBytes, want)
	}
	rows, err := decodeVectors(messages, 3)
	if err != nil || len(rows) != 3 || !slices.Equal(rows[0], whole) || !slices.Equal(rows[1], a) || !slices.Equal(rows[2], b) {
		t.Errorf("%v, %v", rows, err)
	}
	similarities := func(rows, vectors [][]float32) (out []float32) {
		for _, v := range vectors {
			out = append(out, pooling.Similarity(rows, v))
		}
		return out
	}
	// The mean of the whole and the best passage, or the whole alone.
	v := [][]float32{{0.6, 0, 0.8}, {0, -1, 0}}
	if got := similarities(rows, v); math.Abs(float64(got[0])-0.8) > 1e-6 || math.Abs(float64(got[1])-0.5) > 1e-6 {
		t.Error(got)
	}
	if got := similarities(rows[:1], v); math.Abs(float64(got[0])-0.6) > 1e-6 || got[1] != 0 {
		t.Error(got)
	}
}

// Whatever a server sends for vectors is refused, or is vectors of length 1.
func FuzzVectors(f *testing.F) {
	one := vectorMessage([]float32{1, 0}).VectorBytes
	f.Add(one, []byte{})
	f.Add(one, vectorsMessage([][]float32{{1, 0}, {0, 1}}).VectorBytes)
	f.Add(one, []byte{2})
	f.Add(one, append([]byte{0xff, 0xff}, one...))
	f.Add(one[1:], []byte{2, 0})
	f.Add(append([]byte{0, 0, 0xc0, 0x7f}, one[4:]...), []byte{})
	f.Fuzz(func(t *testing.T, whole, passages []byte) {
		rows, err := decodeVectors([]*wire.Vectors{{Name: wholeVector, VectorBytes: whole}, {Name: passageVectors, VectorBytes: passages}, nil}, 2)
		if err != nil {
			return
		}
		if !bytes.Equal(vectorMessage(rows[0]).VectorBytes, whole) {
			t.Errorf("%x is read as %v", whole, rows[0])
		}
		if len(rows) > 1 && !bytes.Equal(vectorsMessage(rows[1:]).VectorBytes, passages) {
			t.Errorf("%x is read as %v", passages, rows[1:])
		}
		for _, v := range [][]float32{{1, 0}, {0.6, -0.8}} {
			s := pooling.Similarity(rows, v)
			if math.IsNaN(float64(s)) || math.Abs(float64(s)) > 1.01 {
				t.Errorf("%x, %x: a similarity of %g", whole, passages, s)
			}
		}
	})
}
