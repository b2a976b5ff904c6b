// Package bert computes encoders of the BERT family, such as MiniLM, BGE, E5, GTE and
// XLM-RoBERTa, with int8 weights. It needs no library and no cgo.
//
// Weights have one scale per row. A linear layer is an exact integer product of those rows
// with activations quantized to eight bits (internal/nn), so neither the batch size nor the
// order of work changes a single bit of a vector. Short texts go through the layers
// together, without padding.
//
// Read quantizes the weights of a model.safetensors or an ONNX file. The package knows about
// token ids and vectors, but not about texts, prefixes or folders.
package bert

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert/internal/nn"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Model is an encoder. Its exported fields must not change after the first call of Vectors,
// which is safe for concurrent use.
type Model struct {
	Dim, Heads, Inner int
	Limit             int     // tokens in a text
	Epsilon           float32 // of the normalizations
	First             bool    // the vector is that of the first token, not the mean of all

	Words     Matrix
	Positions []float32 // a row per position, with the embedding of the token type added
	Norm      Norm
	Layers    []Layer

	scratch sync.Pool // of *scratch
	prepare sync.Once
	failed  error // why the layout failed
}

// Matrix stores int8 codes and one scale per row; an element is their product. The number
// of columns is rounded up to a multiple of Unit.
type Matrix struct {
	Columns int
	Scales  []float32
	Codes   []int8
}

// row returns the codes of row i.
func (m *Matrix) row(i int) []int8 { return m.Codes[i*m.Columns:][:m.Columns] }

// Linear is a linear layer. The number of rows is rounded up to a multiple of Unit.
type Linear struct {
	Bias []float32
	Matrix
	laid *nn.Linear // the same in the kernels' layout
}

// Norm is a layer normalization.
type Norm struct{ Weight, Bias []float32 }

// Layer is a layer of the encoder.
type Layer struct {
	Attend        Linear // query, key and value of all heads, stacked
	Output        Linear
	AttentionNorm Norm
	Up, Down      Linear
	Norm          Norm
}

// Unit is the number that the rows and columns of matrices are multiples of.
const Unit = 64

// headUnit is the number that the size of an attention head is a multiple of.
const headUnit = 16

// padded rounds n up to a multiple of unit.
func padded(n, unit int) int { return (n + unit - 1) / unit * unit }

// wide returns the number of columns of a token's state.
func (m *Model) wide() int { return padded(m.Dim, Unit) }

// head returns the number of columns of an attention head.
func (m *Model) head() int { return padded(m.Dim/m.Heads, headUnit) }

// heads returns the number of columns of all attention heads.
func (m *Model) heads() int { return padded(m.Heads*m.head(), Unit) }

// Encode encodes n texts on all processors. tokens returns the ids of a text and whether it
// was truncated.
func (m *Model) Encode(ctx context.Context, n int, tokens func(i int) ([]int32, bool)) (out encoder.Encoded, err error) {
	ids := make([][]int32, n)
	out.Cut = make([]bool, n)
	err = workers.Each(ctx, n, runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		ids[i], out.Cut[i] = tokens(i)
		return nil
	})
	if err == nil {
		out.Vectors, err = m.Vectors(ctx, ids)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// Vectors returns the unit vectors of texts, given as token ids, computed on all processors.
func (m *Model) Vectors(ctx context.Context, ids [][]int32) ([][]float32, error) {
	if m.prepare.Do(func() { m.failed = m.layOut() }); m.failed != nil {
		return nil, m.failed
	}
	for _, text := range ids {
		for _, id := range text {
			if id < 0 || int(id) >= len(m.Words.Scales) {
				return nil, fmt.Errorf("token %d is not among the %d of the model; use the tokenizer that belongs to it", id, len(m.Words.Scales))
			}
		}
	}
	out := make([][]float32, len(ids))
	processors := runtime.GOMAXPROCS(0)
	batches := batches(ids, min(m.Limit, mostTokens), processors)
	err := workers.Each(ctx, len(batches), processors, func(ctx context.Context, i int) error {
		s, ok := m.scratch.Get().(*scratch)
		if !ok {
			s = &scratch{}
		}
		defer m.scratch.Put(s)
		b := batches[i]
		return m.forward(ctx, s, ids[b.from:b.to], out[b.from:b.to])
	})
	return out, err
}

// layOut converts the weights of all layers to the kernels' layout.
func (m *Model) layOut() error {
	var all []*Linear
	for i := range m.Layers {
		l := &m.Layers[i]
		all = append(all, &l.Attend, &l.Output, &l.Up, &l.Down)
	}
	return workers.Each(context.Background(), len(all), runtime.GOMAXPROCS(0), func(_ context.Context, i int) (err error) {
		l := all[i]
		l.laid, err = nn.NewLinear(l.Codes, l.Scales, l.Bias)
		return err
	})
}

// mostTokens is the preferred number of tokens in a batch. More would not fit in the cache.
const mostTokens = 256

// span is a range of consecutive texts.
type span struct{ from, to int }

// batches divides texts into spans of at most limit tokens unless a single text has more,
// and fewer if there would otherwise be less than one span per processor.
func batches(ids [][]int32, limit, processors int) (out []span) {
	total := 0
	for _, text := range ids {
		total += len(text)
	}
	most := min(limit, (total+processors-1)/processors)
	var b span
	tokens := 0
	for i, text := range ids {
		if tokens += len(text); tokens > most && b.to > b.from {
			out, b, tokens = append(out, b), span{i, i}, len(text)
		}
		b.to = i + 1
	}
	if b.to > b.from {
		out = append(out, b)
	}
	return out
}
