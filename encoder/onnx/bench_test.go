package onnx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/internal/bertonnx"
)

// BenchmarkBatch compares two ways of keeping all processors busy with texts of the same
// length: each text alone on one thread, as the package does, and sixteen texts in a batch
// on all threads. The model has the shape of all-MiniLM-L6-v2. It also reports how many
// numbers of a batch differ from those of the texts alone.
func BenchmarkBatch(b *testing.B) {
	path := filepath.Join(b.TempDir(), "model.onnx")
	if err := randomBERT(384, 12, 1536, 6).Graph().WriteFile(path); err != nil {
		b.Fatal(err)
	}
	r, err := ort.Load(library(b))
	if err != nil {
		b.Fatal(err)
	}
	open := func(threads int) *ort.Session {
		s, err := r.Open(path, threads)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		return s
	}
	threads := runtime.GOMAXPROCS(0)
	one, all := open(1), open(threads)
	const texts = 16
	for _, length := range []int{4, 12, 48} {
		b.Run(fmt.Sprintf("length=%d/alone", length), func(b *testing.B) {
			for b.Loop() {
				var workers sync.WaitGroup
				for w := range threads {
					workers.Go(func() {
						for text := w; text < texts; text += threads {
							states(b, one, text, 1, length)
						}
					})
				}
				workers.Wait()
			}
		})
		b.Run(fmt.Sprintf("length=%d/batch", length), func(b *testing.B) {
			var out []float32
			for b.Loop() {
				out = states(b, all, 0, texts, length)
			}
			differ := 0
			for text, rows := range slices.Collect(slices.Chunk(out, len(out)/texts)) {
				for i, v := range states(b, one, text, 1, length) {
					if v != rows[i] {
						differ++
					}
				}
			}
			b.ReportMetric(float64(differ), "differ")
		})
	}
}

// states runs the model on made-up tokens.
func states(b *testing.B, s *ort.Session, first, texts, length int) []float32 {
	shape := []int64{int64(texts), int64(length)}
	ids, mask := make([]int64, texts*length), slices.Repeat([]int64{1}, texts*length)
	for i := range ids {
		ids[i] = int64(((first+i/length)*31 + i%length*17) % 1000)
	}
	out, err := s.Run(context.Background(), []ort.Tensor{
		{Name: "input_ids", Shape: shape, Ints: ids},
		{Name: "attention_mask", Shape: shape, Ints: mask},
		{Name: "token_type_ids", Shape: shape, Ints: make([]int64, len(ids))},
	}, []string{"last_hidden_state"})
	if err != nil {
		b.Error(err)
		return nil
	}
	return out[0].Floats
}

// randomBERT returns a random model with 1,000 words and 64 positions.
func randomBERT(dim, heads, inner, layers int) *bertonnx.Model {
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = 0.05 * float32(rng.NormFloat64())
		}
		return out
	}
	linear := func(rows, columns int) bertonnx.Linear {
		return bertonnx.Linear{Weight: numbers(rows * columns), Bias: numbers(rows)}
	}
	norm := func() bertonnx.Norm { return bertonnx.Norm{Weight: numbers(dim), Bias: numbers(dim)} }
	m := &bertonnx.Model{
		Dim: dim, Heads: heads, Inner: inner, Epsilon: 1e-12,
		Words: numbers(1000 * dim), Positions: numbers(64 * dim), Types: numbers(2 * dim), Norm: norm(),
	}
	for range layers {
		m.Layers = append(m.Layers, bertonnx.Layer{
			Query: linear(dim, dim), Key: linear(dim, dim), Value: linear(dim, dim), Output: linear(dim, dim),
			AttentionNorm: norm(), Up: linear(inner, dim), Down: linear(dim, inner), Norm: norm(),
		})
	}
	return m
}
