package builtin

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder/bert"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/internal/bertonnx"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// floats returns the elements of a matrix.
func floats(m *bert.Matrix) []float32 {
	out := make([]float32, len(m.Codes))
	for i, code := range m.Codes {
		out[i] = m.Scales[i/m.Columns] * float32(code)
	}
	return out
}

// inFloats returns the model with float32 weights for ONNX Runtime.
func inFloats(w *bert.Model) *bertonnx.Model {
	linear := func(l *bert.Linear) bertonnx.Linear {
		return bertonnx.Linear{Weight: floats(&l.Matrix), Bias: l.Bias}
	}
	norm := func(n bert.Norm) bertonnx.Norm { return bertonnx.Norm{Weight: n.Weight, Bias: n.Bias} }
	m := &bertonnx.Model{
		Dim: w.Dim, Heads: w.Heads, Inner: w.Inner, Epsilon: w.Epsilon,
		Words: floats(&w.Words), Positions: w.Positions, Types: make([]float32, w.Dim), Norm: norm(w.Norm),
	}
	for i := range w.Layers {
		l := &w.Layers[i]
		all := linear(&l.Attend)
		part := func(i int) bertonnx.Linear {
			return bertonnx.Linear{
				Weight: all.Weight[i*w.Dim*w.Dim:][:w.Dim*w.Dim],
				Bias:   all.Bias[i*w.Dim:][:w.Dim],
			}
		}
		m.Layers = append(m.Layers, bertonnx.Layer{
			Query: part(0), Key: part(1), Value: part(2), Output: linear(&l.Output), AttentionNorm: norm(l.AttentionNorm),
			Up: linear(&l.Up), Down: linear(&l.Down), Norm: norm(l.Norm),
		})
	}
	return m
}

// peer runs the built-in encoder's weights in ONNX Runtime.
type peer struct {
	*Encoder
	session *ort.Session
}

func openPeer(tb testing.TB, e *Encoder, threads int) peer {
	r, err := ort.Load("")
	if err != nil {
		tb.Skip(err)
	}
	path := filepath.Join(tb.TempDir(), "model.onnx")
	if err := inFloats(e.model).Graph().WriteFile(path); err != nil {
		tb.Fatal(err)
	}
	s, err := r.Open(path, threads)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return peer{e, s}
}

// encode encodes texts of the same number of tokens in one run.
func (p peer) encode(tb testing.TB, texts ...string) [][]float32 {
	var ids, mask []int64
	for _, text := range texts {
		tokens, _ := p.tokens.Encode(text, p.model.Limit)
		for _, id := range tokens {
			ids, mask = append(ids, int64(id)), append(mask, 1)
		}
	}
	length := len(ids) / len(texts)
	shape := []int64{int64(len(texts)), int64(length)}
	out, err := p.session.Run(context.Background(), []ort.Tensor{
		{Name: "input_ids", Shape: shape, Ints: ids},
		{Name: "attention_mask", Shape: shape, Ints: mask},
		{Name: "token_type_ids", Shape: shape, Ints: make([]int64, len(ids))},
	}, nil)
	if err != nil {
		tb.Error(err)
		return nil
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = make([]float32, p.model.Dim)
		for t := range length {
			vec.AddScaled(vectors[i], out[0].Floats[(i*length+t)*p.model.Dim:][:p.model.Dim], 1)
		}
		if err := vec.Normalize(vectors[i]); err != nil {
			tb.Error(err)
		}
	}
	return vectors
}

// ONNX Runtime computes the same vectors from the same weights, which makes the benchmark
// below a fair comparison.
func TestONNXRuntime(t *testing.T) {
	e := open(t)
	p := openPeer(t, e, 1)
	examples := texts(fixture(t))
	worst, step := 0.0, 20
	if slow {
		step = 100
	}
	for i := 0; i < len(examples); i += step {
		ours, theirs := encode(t, e, examples[i]).Vectors[0], p.encode(t, examples[i])[0]
		distance := 1 - vec.Dot64(ours, theirs)
		worst = max(worst, distance)
		if distance > 1e-3 {
			t.Errorf("%q: cosine to ONNX Runtime's vector 1 - %.1e", examples[i], distance)
		}
	}
	t.Logf("largest distance 1 - cos = %.1e", worst)
}

// ofLength returns n texts of exactly the given number of tokens, made of different words
// of the fixture that are single tokens.
func (e *Encoder) ofLength(tb testing.TB, n, tokens int) (out []string) {
	words := strings.Fields(strings.Join(texts(fixture(tb)), " "))
	unknown, _ := e.tokens.ID("[UNK]")
	words = slices.DeleteFunc(words, func(word string) bool {
		ids, _ := e.tokens.Encode(word, e.model.Limit)
		return len(ids) != 3 || ids[1] == unknown
	})
	slices.Sort(words)
	words = slices.Compact(words)
	for i := range n {
		text := ""
		for j := range tokens - 2 {
			text += words[(i*7919+j*104729)%len(words)] + " "
		}
		if ids, _ := e.tokens.Encode(text, e.model.Limit); len(ids) != tokens {
			tb.Fatalf("%q has %d tokens, want %d", text, len(ids), tokens)
		}
		out = append(out, text)
	}
	return out
}

// BenchmarkONNXRuntime alternates between the built-in encoder and ONNX Runtime with the
// same weights, in one process. It reports the median time per text of each and the
// median speedup.
//
//	go test -run '^$' -bench ONNXRuntime -benchtime 20x ./encoder/builtin
func BenchmarkONNXRuntime(b *testing.B) {
	e := open(b)
	one := openPeer(b, e, 1)
	ours := func(texts []string) { encode(b, e, texts...) }
	single := func(texts []string) {
		for _, text := range texts {
			one.encode(b, text)
		}
	}
	together := func(texts []string) { one.encode(b, texts...) }

	for _, tokens := range []int{3, 8, 46, 107} {
		b.Run(fmt.Sprintf("one/tokens=%d", tokens), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			compare(b, e.ofLength(b, 1, tokens), ours, single)
		})
	}
	for _, tokens := range []int{8, 46, 107} {
		b.Run(fmt.Sprintf("batch=%d/tokens=%d", batch, tokens), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			compare(b, e.ofLength(b, batch, tokens), ours, together)
		})
	}

	// All processors: ONNX Runtime uses them for one run, or one for each of several runs.
	processors := runtime.GOMAXPROCS(0)
	documents, all := e.ofLength(b, batch, 107), openPeer(b, e, processors)
	b.Run("all/tokens=107/together", func(b *testing.B) {
		compare(b, documents, ours, func(texts []string) { all.encode(b, texts...) })
	})
	b.Run("all/tokens=107/each", func(b *testing.B) {
		compare(b, documents, ours, func(texts []string) {
			var runs sync.WaitGroup
			for part := range slices.Chunk(texts, (len(texts)+processors-1)/processors) {
				runs.Go(func() { single(part) })
			}
			runs.Wait()
		})
	})
}

// batch is the number of texts in a round.
const batch = 32

// compare times both encoders in turn, on all texts at once or, if there are fewer than a
// batch, on the same texts repeatedly.
func compare(b *testing.B, texts []string, ours, theirs func(texts []string)) {
	took := func(encode func([]string)) float64 {
		start := time.Now()
		encode(texts)
		return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(len(texts))
	}
	took(ours)
	took(theirs)
	var a, t, ratios []float64
	for b.Loop() {
		for range batch / len(texts) {
			x, y := took(ours), took(theirs)
			a, t, ratios = append(a, x), append(t, y), append(ratios, y/x)
		}
	}
	median := func(values []float64) float64 {
		slices.Sort(values)
		return values[len(values)/2]
	}
	b.ReportMetric(0, "ns/op") // meaningless here, so not shown
	b.ReportMetric(median(a), "µs/text")
	b.ReportMetric(median(t), "onnxruntime-µs/text")
	b.ReportMetric(median(ratios), "times-as-fast")
}
