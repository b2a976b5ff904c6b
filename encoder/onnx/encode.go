package onnx

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Encode encodes texts. Each text's vector is independent of the others.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	prefix := e.identity.Prefixes.Of(role)
	tokens := func(i int) ([]int32, bool) { return e.tokenizer.Encode(prefix+texts[i], e.identity.MaxTokens) }
	if e.kernels != nil {
		out, err := e.kernels.Encode(ctx, len(texts), tokens)
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("encoding with %s: %w", e.identity, err)
		}
		return out, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	err := e.forEach(ctx, len(texts), "text", func(ctx context.Context, i int) error {
		ids, cut := tokens(i)
		vector, err := e.text.text(ctx, ids)
		if err == nil && len(vector) != e.identity.Dimension {
			err = fmt.Errorf("the model returned %d dimensions, and %d before", len(vector), e.identity.Dimension)
		}
		out.Vectors[i], out.Cut[i] = vector, cut
		return err
	})
	if err != nil {
		return encoder.Encoded{}, err
	}
	return out, nil
}

// forEach calls f for 0 to n-1. The number of concurrent calls, over all users of the
// encoder, is limited by its slots.
func (e *Encoder) forEach(ctx context.Context, n int, what string, f func(context.Context, int) error) error {
	return workers.Each(ctx, n, cap(e.slots), func(ctx context.Context, i int) error {
		return e.slots.Do(ctx, func() error {
			if err := f(ctx, i); err != nil {
				return fmt.Errorf("encoding %s %d with %s: %w", what, i, e.identity, err)
			}
			return nil
		})
	})
}
