package openai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// pace is how long to wait between repetitions of a request.
type pace struct {
	first    time.Duration // before the first repetition; each further one waits twice as long
	most     time.Duration // but no longer than this
	patience time.Duration // the longest wait that a server may ask for
}

// pause is the wait before the n-th repetition, n from 0. The upper half is
// random, so that clients that failed together do not come back together.
func (p pace) pause(n int) time.Duration {
	d := retry.Pause(p.first, p.most, n)
	return d/2 + rand.N(d/2+1)
}

// insist asks until there is an answer, or until asking again has no use. When
// the context is done the error may be any.
func (e *Encoder) insist(ctx context.Context, texts []string) ([][]float32, error) {
	for n := 0; ; n++ {
		vectors, err := e.ask(ctx, texts)
		if err == nil || ctx.Err() != nil || !passes(err) {
			return vectors, err
		}
		if n >= e.Retries {
			if n > 0 {
				err = fmt.Errorf("after %d tries: %w", n+1, err)
			}
			return nil, err
		}
		pause := e.pace.pause(n)
		if status := (*StatusError)(nil); errors.As(err, &status) {
			if status.after > e.pace.patience {
				return nil, fmt.Errorf("%w; the server wants no request for %s", err, status.after.Round(time.Second))
			}
			pause = max(pause, status.after)
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
			return nil, fmt.Errorf("%w; the next try, in %s, would come after the deadline", err, pause.Round(time.Millisecond))
		}
		if err := retry.Sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// connectionError says that no whole answer has come.
type connectionError struct{ err error }

func (e *connectionError) Error() string { return "no answer from the server: " + e.err.Error() }
func (e *connectionError) Unwrap() error { return e.err }

// passes tells whether an error may be gone at the next try.
func passes(err error) bool {
	if status := (*StatusError)(nil); errors.As(err, &status) {
		switch status.Code {
		case http.StatusTooManyRequests:
			return status.kind != "insufficient_quota" // only money helps
		case http.StatusRequestTimeout, http.StatusTooEarly:
			return true
		case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
			return false
		}
		return status.Code >= 500
	}
	if connection := (*connectionError)(nil); !errors.As(err, &connection) {
		return false
	}
	return !retry.Hopeless(err)
}
