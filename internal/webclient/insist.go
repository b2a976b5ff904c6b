package webclient

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// Pace controls how a request is retried.
type Pace struct {
	First    time.Duration // delay before the first retry; doubles with each further one
	Most     time.Duration // maximum delay
	Patience time.Duration // the longest delay that a server may ask for
	Retries  int           // consecutive retries without progress
}

// pause returns the delay before the n-th retry, n from 0. Its upper half is random, to
// spread clients that failed together.
func (p Pace) pause(n int) time.Duration {
	d := retry.Pause(p.First, p.Most, n)
	return d/2 + rand.N(d/2+1)
}

// Insist calls try until it succeeds or retrying is pointless. Attempts that made more
// progress than all before do not count. tell, if not nil, is called for every failure
// but the last. Once the context is done the error is unspecified.
func (p Pace) Insist(ctx context.Context, tell func(error, time.Duration), try func() (further bool, err error)) error {
	for vain := 0; ; {
		further, err := try()
		if err == nil || ctx.Err() != nil || !passes(err) {
			return err
		}
		vain++
		if further {
			vain = 0
		}
		if vain > p.Retries {
			if vain > 1 {
				err = fmt.Errorf("after %d tries: %w", vain, err)
			}
			return err
		}
		pause := p.pause(max(vain-1, 0))
		if status := (*StatusError)(nil); errors.As(err, &status) {
			if status.After > p.Patience {
				return fmt.Errorf("%w; it asks to wait %s", err, status.After.Round(time.Second))
			}
			pause = max(pause, status.After)
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
			return fmt.Errorf("%w; the next try, in %s, would come after the deadline", err, pause.Round(time.Millisecond))
		}
		if tell != nil {
			tell(err, pause)
		}
		if err := retry.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

type passing struct {
	text string
	err  error
}

func (e passing) Error() string { return e.text }
func (e passing) Unwrap() error { return e.err }

// Passing marks an error as temporary.
func Passing(err error) error { return passing{err.Error(), err} }

// Lost reports that no complete response was received. It omits the address, which may
// contain a password or a signature, and most of a response that is not HTTP.
func Lost(what string, err error) error {
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err
	}
	return passing{what + ": " + Line(err.Error(), 300), err}
}

func passes(err error) bool {
	if errors.As(err, &passing{}) {
		return !retry.Hopeless(err)
	}
	status := (*StatusError)(nil)
	return errors.As(err, &status) && status.Passes
}
