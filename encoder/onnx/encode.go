package onnx

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/encoder"
)

// Encode encodes texts, each alone.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	prefix := e.identity.Prefixes.Of(role)
	err := e.forEach(ctx, len(texts), "text", func(ctx context.Context, i int) error {
		ids, cut := e.tokenizer.Encode(prefix+texts[i], e.identity.MaxTokens)
		vector, err := e.text.text(ctx, ids)
		if err == nil && len(vector) != e.identity.Dimension {
			err = fmt.Errorf("the model gave %d dimensions, and %d before", len(vector), e.identity.Dimension)
		}
		out.Vectors[i], out.Cut[i] = vector, cut
		return err
	})
	if err != nil {
		return encoder.Encoded{}, err
	}
	return out, nil
}

// forEach calls f for 0 to n-1, as many at once as there are slots. After an
// error, or when the context is done, no more are begun.
func (e *Encoder) forEach(ctx context.Context, n int, what string, f func(context.Context, int) error) error {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	work := func() {
		for {
			select {
			case <-running.Done():
				return
			case e.slots <- struct{}{}:
			}
			i := int(next.Add(1)) - 1
			if i < n && running.Err() == nil {
				if err := f(running, i); err != nil {
					stop(fmt.Errorf("encoding %s %d with %s: %w", what, i, e.identity, err)) // the first error stays
				}
			}
			<-e.slots
			if i >= n {
				return
			}
		}
	}
	var workers sync.WaitGroup
	for range min(cap(e.slots), n) {
		workers.Go(work)
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(running)
}
