package server

import (
	"context"
	"errors"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
)

// encoders are opened when they are first needed, once for all collections.
type encoders struct {
	mu   sync.Mutex
	open map[string]func() (*named.Encoder, error)
}

func (e *encoders) get(ctx context.Context, word string) (encoder.Encoder, error) {
	word = named.Word(word)
	e.mu.Lock()
	open, ok := e.open[word]
	if !ok {
		open = sync.OnceValues(func() (*named.Encoder, error) { return named.Open(context.WithoutCancel(ctx), word) })
		if e.open == nil {
			e.open = map[string]func() (*named.Encoder, error){}
		}
		e.open[word] = open
	}
	e.mu.Unlock()
	opened, err := open()
	if err != nil {
		e.mu.Lock()
		delete(e.open, word) // it may be there the next time
		e.mu.Unlock()
		return nil, err
	}
	return asked{opened}, nil
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

// asked tells the errors of an encoder from others: they may name addresses and
// files that are none of the client's business.
type asked struct{ encoder.Encoder }

type encoderError struct{ error }

func (e *encoderError) Unwrap() error { return e.error }

func (a asked) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	encoded, err := a.Encoder.Encode(ctx, role, texts)
	if err != nil && ctx.Err() == nil {
		err = &encoderError{err}
	}
	return encoded, err
}
