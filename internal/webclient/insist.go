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

// Pace is how patiently a server is asked again.
type Pace struct {
	First    time.Duration // the wait before the first repetition; each further one is twice as long
	Most     time.Duration // but no longer than this
	Patience time.Duration // the longest wait that a server may ask for
	Retries  int           // tries in a row, beyond the first, that may bring nothing new
}

// pause is the wait before the n-th repetition, n from 0. The upper half is
// random, so that clients that failed together do not come back together.
func (p Pace) pause(n int) time.Duration {
	d := retry.Pause(p.First, p.Most, n)
	return d/2 + rand.N(d/2+1)
}

// Insist tries until it works, or until trying again has no use. Tries that got
// further than all before them do not count. tell, unless it is nil, hears of every
// failure that is not the last. When the context is done the error may be any.
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
				return fmt.Errorf("%w; it wants no request for %s", err, status.After.Round(time.Second))
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

// passing is an error that may be gone at the next try, in words.
type passing struct {
	text string
	err  error
}

func (e passing) Error() string { return e.text }
func (e passing) Unwrap() error { return e.err }

// Passing marks an error as one that may be gone at the next try.
func Passing(err error) error { return passing{err.Error(), err} }

// Lost says that no whole answer has come. The address is left out, which may hold
// a password or a signature, and so is most of what was no HTTP.
func Lost(what string, err error) error {
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err
	}
	return passing{what + ": " + Line(err.Error(), 300), err}
}

// passes tells whether an error may be gone at the next try.
func passes(err error) bool {
	if errors.As(err, &passing{}) {
		return !retry.Hopeless(err)
	}
	status := (*StatusError)(nil)
	return errors.As(err, &status) && status.Passes
}
