package builtin

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Word is what the encoder is called where one is chosen by a word.
const Word = "builtin"

// Name is the encoder's name in its identity.
const Name = "nsfl-builtin"

// Encoder is the built-in encoder. It is immutable and safe for concurrent use.
type Encoder struct {
	*weights
	scratch    sync.Pool // of *scratch
	prepare    func()    // lays out the weights, once
	unprepared error     // why they could not be
}

var _ encoder.Encoder = (*Encoder)(nil)

// New is the built-in encoder, one for the whole program. An error means that
// the binary was built with a damaged file of weights.
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

// Identity names the weights by their sha256.
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

// Encode encodes texts on all processors; short ones go through the layers together, as
// many as the longest text has tokens. The roles are encoded alike.
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

// vectors are those of texts given as token ids.
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

// span is texts that follow each other.
type span struct{ from, to int }

// batches divides texts into spans of at most as many tokens as the longest text may
// have, and of fewer where there would not be one for each processor.
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
