package workspace

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
)

// encoders opens encoders on first use and shares them between collections.
type encoders struct {
	mu   sync.Mutex
	open map[encoderKey]func() (*named.Encoder, error)
}

// encoderKey is the spec of an encoder and, for a collection's, the identity that made its
// vectors.
type encoderKey struct {
	word string
	made encoder.Identity
}

func (e *encoders) get(ctx context.Context, word string, made encoder.Identity) (*named.Encoder, error) {
	key := encoderKey{named.Word(word), made}
	e.mu.Lock()
	open, ok := e.open[key]
	if !ok {
		open = sync.OnceValues(func() (*named.Encoder, error) {
			return named.OpenFor(context.WithoutCancel(ctx), key.word, made)
		})
		if e.open == nil {
			e.open = map[encoderKey]func() (*named.Encoder, error){}
		}
		e.open[key] = open
	}
	e.mu.Unlock()
	opened, err := open()
	if err != nil {
		e.mu.Lock()
		delete(e.open, key) // it may be available next time
		e.mu.Unlock()
	}
	return opened, err
}

// Encoder returns the encoder for a spec. Its errors are *EncoderError.
func (c *Collections) Encoder(ctx context.Context, word string) (encoder.Encoder, error) {
	e, err := c.encoders.get(ctx, word, encoder.Identity{})
	if err != nil {
		return nil, reject(Unavailable, "the encoder %q cannot be opened; see the server's log", word).because(err)
	}
	return turnEncoder{e, c.config.Turn}, nil
}

func (e *encoders) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all error
	for _, open := range e.open {
		if opened, err := open(); err == nil {
			all = errors.Join(all, opened.Close())
		}
	}
	e.open = nil
	return all
}

// EncoderError wraps an error of an encoder. It may name addresses and files that clients
// must not see.
type EncoderError struct{ Err error }

func (e *EncoderError) Error() string { return e.Err.Error() }

func (e *EncoderError) Unwrap() error { return e.Err }

// Explained implements Explained: the store is not the cause.
func (e *EncoderError) Explained() {}

// turnEncoder wraps an encoder to mark its errors and to encode documents in turns.
type turnEncoder struct {
	encoder.Encoder
	turn func(context.Context) (leave func(), err error)
}

// turnTexts is the number of texts encoded per turn, which keeps a huge document from
// blocking others.
const turnTexts = 256

func (a turnEncoder) Unwrap() encoder.Encoder { return a.Encoder }

func (a turnEncoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if a.turn == nil || role == encoder.Query {
		return a.encode(ctx, role, texts)
	}
	var all encoder.Encoded
	for some := range slices.Chunk(texts, turnTexts) {
		leave, err := a.turn(ctx)
		if err != nil {
			return encoder.Encoded{}, err
		}
		encoded, err := a.encode(ctx, role, some)
		leave()
		if err != nil {
			return encoder.Encoded{}, err
		}
		all.Vectors, all.Cut = append(all.Vectors, encoded.Vectors...), append(all.Cut, encoded.Cut...)
	}
	return all, nil
}

func (a turnEncoder) encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	encoded, err := a.Encoder.Encode(ctx, role, texts)
	if err != nil && ctx.Err() == nil {
		err = &EncoderError{err}
	}
	return encoded, err
}
