package openai

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Encoder encodes by calling a server. It is safe for concurrent use.
type Encoder struct {
	server
	pace  webclient.Pace
	slots workers.Slots // limits concurrent requests
	dim   int           // 0 until known
}

var _ encoder.Encoder = (*Encoder)(nil)

// New returns an encoder for a server. Unless Dimensions is set, it requests one vector to
// learn the dimension.
func New(ctx context.Context, c Config) (*Encoder, error) {
	return newEncoder(ctx, c, webclient.Pace{First: 500 * time.Millisecond, Most: 30 * time.Second, Patience: 2 * time.Minute})
}

func newEncoder(ctx context.Context, c Config, p webclient.Pace) (*Encoder, error) {
	s, err := c.check()
	if err != nil {
		return nil, err
	}
	p.Retries = s.Retries
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = s.Parallel
	s.web.Client.Transport = transport
	e := &Encoder{server: s, pace: p, slots: make(workers.Slots, s.Parallel), dim: s.Dimensions}
	if e.dim > 0 {
		return e, nil
	}
	vectors, err := e.askWithRetry(ctx, []string{"dimension"})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("asking %s for the dimension of %s: %w", s.web.Place, s.Model, err)
	}
	e.dim = len(vectors[0])
	return e, nil
}

// Identity returns the model's name and, since a server does not identify its weights, the
// server's address as the revision.
func (e *Encoder) Identity() encoder.Identity {
	return encoder.Identity{Name: e.Model, Revision: e.web.Place, Dimension: e.dim, Prefixes: e.Prefixes}
}

// Encode encodes texts, one batch per request. Without texts it sends no request.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	sent := prefixed(e.Prefixes.Of(role), texts)
	batches := (len(sent) + e.MaxBatch - 1) / e.MaxBatch
	err := workers.Each(ctx, batches, e.Parallel, func(ctx context.Context, i int) error {
		from, to := i*e.MaxBatch, min((i+1)*e.MaxBatch, len(sent))
		return e.batch(ctx, from, sent[from:to], out.Vectors[from:to])
	})
	switch {
	case ctx.Err() != nil:
		return encoder.Encoded{}, ctx.Err()
	case err != nil:
		return encoder.Encoded{}, fmt.Errorf("encoding with %s: %w", e.Identity(), err)
	}
	return out, nil
}

// askWithRetry sends a request, with retries.
func (e *Encoder) askWithRetry(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	err = e.pace.Insist(ctx, nil, func() (further bool, err error) {
		vectors, err = e.ask(ctx, texts)
		return false, err
	})
	return vectors, err
}

func prefixed(prefix string, texts []string) []string {
	if prefix == "" {
		return texts
	}
	with := make([]string, len(texts))
	for i, text := range texts {
		with[i] = prefix + text
	}
	return with
}

// batch encodes texts in one request, or in several if the server finds it too large.
// first is the index of the batch's first text among the caller's texts.
func (e *Encoder) batch(ctx context.Context, first int, texts []string, out [][]float32) error {
	vectors, err := e.askWithRetry(ctx, texts)
	if !tooLarge(err) {
		copy(out, vectors)
		return err
	}
	if len(texts) == 1 {
		return fmt.Errorf("text %d, of %d bytes, is too long for the server; shorten it or split it into passages: %w", first, len(texts[0]), err)
	}
	half := len(texts) / 2
	if err := e.batch(ctx, first, texts[:half], out[:half]); err != nil {
		return err
	}
	return e.batch(ctx, first+half, texts[half:], out[half:])
}
