package bertonnx

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
)

// load returns ONNX Runtime, or skips the test if it is not installed.
func load(t testing.TB) *ort.Runtime {
	r, err := ort.Load("")
	if err != nil {
		t.Skip(err)
	}
	return r
}

// open writes a model and opens it.
func open(t testing.TB, m *Model) *ort.Session {
	r := load(t)
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := m.Graph().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	s, err := r.Open(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// run returns the model's output for a batch as one slice.
func run(t testing.TB, s *ort.Session, batch int, ids, mask, types []int64) []float32 {
	shape := []int64{int64(batch), int64(len(ids) / batch)}
	out, err := s.Run(context.Background(), []ort.Tensor{
		{Name: "input_ids", Shape: shape, Ints: ids},
		{Name: "attention_mask", Shape: shape, Ints: mask},
		{Name: "token_type_ids", Shape: shape, Ints: types},
	}, []string{"last_hidden_state"})
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Floats
}

// random returns a small random model.
func random(rng *rand.Rand) *Model {
	m := &Model{Dim: 24, Heads: 3, Inner: 40, Epsilon: 1e-5}
	numbers := func(n int, scale float32) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = scale * float32(rng.NormFloat64())
		}
		return out
	}
	linear := func(rows, columns int) Linear { return Linear{numbers(rows*columns, 0.3), numbers(rows, 0.3)} }
	norm := func() Norm { return Norm{numbers(m.Dim, 1), numbers(m.Dim, 0.3)} }
	m.Words, m.Positions, m.Types, m.Norm = numbers(50*m.Dim, 1), numbers(16*m.Dim, 1), numbers(2*m.Dim, 1), norm()
	for range 2 {
		m.Layers = append(m.Layers, Layer{
			Query: linear(m.Dim, m.Dim), Key: linear(m.Dim, m.Dim), Value: linear(m.Dim, m.Dim), Output: linear(m.Dim, m.Dim),
			AttentionNorm: norm(), Up: linear(m.Inner, m.Dim), Down: linear(m.Dim, m.Inner), Norm: norm(),
		})
	}
	return m
}

// TestGraph compares the output of ONNX Runtime with plain loops over the weights, with
// padding.
func TestGraph(t *testing.T) {
	const seed = 7
	m := random(rand.New(rand.NewPCG(seed, seed)))
	s := open(t, m)
	const batch, length = 3, 11
	ids, mask, types := make([]int64, batch*length), make([]int64, batch*length), make([]int64, batch*length)
	lengths := [batch]int{length, 5, 1}
	for i := range ids {
		text, token := i/length, i%length
		ids[i] = int64(i * 7 % 50)
		if token < lengths[text] {
			mask[i] = 1
		}
		types[i] = int64(token / 6)
	}
	got := run(t, s, batch, ids, mask, types)
	for text, n := range lengths {
		at := text * length
		want := m.state(ids[at:at+length], types[at:at+length], func(token int) bool { return token >= n })
		for token := range n {
			for i, w := range want[token] {
				if g := float64(got[(at+token)*m.Dim+i]); math.Abs(g-w) > 1e-4 {
					t.Fatalf("text %d, token %d, number %d: %g, want %g (seed %d)", text, token, i, g, w, seed)
				}
			}
		}
	}
}
