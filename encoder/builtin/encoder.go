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
	scratch sync.Pool // of *scratch
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

// Encode encodes texts, each by itself, on as many processors as there are
// texts. The roles are encoded alike.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	err := workers.Each(ctx, len(texts), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) (err error) {
		out.Vectors[i], out.Cut[i], err = e.encode(ctx, texts[i])
		return err
	})
	switch {
	case ctx.Err() != nil:
		return encoder.Encoded{}, ctx.Err()
	case err != nil:
		return encoder.Encoded{}, fmt.Errorf("encoding with %s: %w", e.Identity(), err)
	}
	return out, nil
}

func (e *Encoder) encode(ctx context.Context, text string) (vector []float32, cut bool, err error) {
	ids, cut := e.tokens.Encode(text, e.limit)
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	vector, err = e.forward(ctx, s, ids)
	return vector, cut, err
}
