package builtin

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Word selects this encoder in options and flags that name one.
const Word = "builtin"

// Name is the encoder's name in its identity.
const Name = "nsfl-builtin"

// Encoder is the built-in encoder. It is immutable and safe for concurrent use.
type Encoder struct {
	*weights
	scratch    sync.Pool // of *scratch
	prepare    func()    // lays out the weights for the kernels, once
	unprepared error     // why prepare failed
}

var _ encoder.Encoder = (*Encoder)(nil)

// New returns the built-in encoder, which the whole program shares. It fails only if
// the binary was built with a damaged weights file.
func New() (*Encoder, error) { return shared() }

var shared = sync.OnceValues(func() (*Encoder, error) {
	w, err := readWeights(embedded)
	if err != nil {
		return nil, err
	}
	return newEncoder(w), nil
})

func newEncoder(w *weights) *Encoder {
	e := &Encoder{weights: w}
	e.scratch.New = func() any { return newScratch(w) }
	e.prepare = sync.OnceFunc(func() { e.unprepared = w.layOut() })
	return e
}

// Identity identifies the weights by their SHA-256.
func (e *Encoder) Identity() encoder.Identity {
	return encoder.Identity{
		Name:      Name,
		Revision:  e.revision,
		Dimension: e.dim,
		Pooling:   "mean",
		MaxTokens: e.limit,
		Weights:   e.sum,
	}
}

// Encode encodes texts on all processors. Short texts go through the layers together, in
// batches no longer than the longest allowed text. All roles are encoded alike.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	out, err := e.encode(ctx, texts)
	switch {
	case ctx.Err() != nil:
		return encoder.Encoded{}, ctx.Err()
	case err != nil:
		return encoder.Encoded{}, fmt.Errorf("encoding with %s: %w", e.Identity(), err)
	}
	return out, nil
}

func (e *Encoder) encode(ctx context.Context, texts []string) (out encoder.Encoded, err error) {
	ids := make([][]int32, len(texts))
	out.Cut = make([]bool, len(texts))
	if err := workers.Each(ctx, len(texts), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		ids[i], out.Cut[i] = e.tokens.Encode(texts[i], e.limit)
		return nil
	}); err != nil {
		return out, err
	}
	out.Vectors, err = e.vectors(ctx, ids)
	return out, err
}

// vectors encodes texts given as token ids.
func (e *Encoder) vectors(ctx context.Context, ids [][]int32) ([][]float32, error) {
	if e.prepare(); e.unprepared != nil {
		return nil, e.unprepared
	}
	out := make([][]float32, len(ids))
	processors := runtime.GOMAXPROCS(0)
	batches := e.batches(ids, processors)
	err := workers.Each(ctx, len(batches), processors, func(ctx context.Context, i int) error {
		s := e.scratch.Get().(*scratch)
		defer e.scratch.Put(s)
		b := batches[i]
		return e.forward(ctx, s, ids[b.from:b.to], out[b.from:b.to])
	})
	return out, err
}

// span is a range of consecutive texts.
type span struct{ from, to int }

// batches divides texts into spans that have no more tokens than the longest allowed
// text, and fewer if there would otherwise be less than one span per processor.
func (e *Encoder) batches(ids [][]int32, processors int) (out []span) {
	total := 0
	for _, text := range ids {
		total += len(text)
	}
	most := min(e.limit, (total+processors-1)/processors)
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
