package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// Calls limits the time of calls to one collection and adds the operation and the place to
// their errors.
type Calls struct {
	Options engine.Options
	Place   string // the collection in messages, without credentials
	// Reword, if not nil, explains an error of the engine.
	Reword func(error) error
	// Again reports whether a call may succeed when it is repeated after an error; nil: the
	// driver repeats single requests.
	Again func(error) bool
	Size  Size

	open   sync.RWMutex // held for reading by every call
	closed bool
}

// errSlow is the cause of a call that timed out.
var errSlow = errors.New("no answer in time")

// Run runs f with a time limit and explains its error.
func (c *Calls) Run(ctx context.Context, doing string, limit time.Duration, f func(context.Context) error) error {
	c.open.RLock()
	defer c.open.RUnlock()
	if c.closed {
		return c.Explain(doing, engine.ErrClosed)
	}
	inner, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	var err error
	if c.Again == nil {
		err = f(inner)
	} else {
		err = Again(inner, c.Again, func() error { return f(inner) })
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.Is(context.Cause(inner), errSlow):
		err = fmt.Errorf("there was no answer within %s: the server is overloaded or stuck, or the time-out too short (%w)", limit, context.DeadlineExceeded)
		return fmt.Errorf("%s in %s: %w", doing, c.Place, err)
	}
	return c.Explain(doing, err)
}

// Read runs f, which only reads.
func (c *Calls) Read(ctx context.Context, doing string, f func(context.Context) error) error {
	return c.Run(ctx, doing, c.Options.Timeout, f)
}

// Write runs f unless the collection is read-only.
func (c *Calls) Write(ctx context.Context, doing string, f func(context.Context) error) error {
	if c.Options.ReadOnly {
		return c.Explain(doing, engine.ErrReadOnly)
	}
	defer c.Size.Forget() // also where it failed: some of it may have been done
	return c.Run(ctx, doing, c.Options.WriteTimeout, f)
}

// Explain adds the operation and the place to an error.
func (c *Calls) Explain(doing string, err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	if errors.As(err, &mismatch) || errors.As(err, &format) {
		return err // its text is complete
	}
	if c.Reword != nil {
		err = c.Reword(err)
	}
	return fmt.Errorf("%s in %s: %w", doing, c.Place, err)
}

// Close waits for the calls in progress. The first call of Close runs f.
func (c *Calls) Close(f func() error) error {
	c.open.Lock()
	defer c.open.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return f()
}

// FirstPause is the pause before the first repetition; each further pause is twice as long.
var FirstPause = 100 * time.Millisecond // shorter in tests

// Repetitions is how often a failed request is repeated.
const Repetitions = 3

// Again runs f and repeats it after errors that may pass.
func Again(ctx context.Context, hope func(error) bool, f func() error) error {
	for try := 0; ; try++ {
		err := f()
		if err == nil || ctx.Err() != nil || try == Repetitions || !hope(err) ||
			retry.Sleep(ctx, retry.Pause(FirstPause, time.Second, try)) != nil {
			return err
		}
	}
}

// Size caches the size of a collection. The zero value is empty.
type Size struct{ cached[engine.Size] }

// Get returns the size, and counts if it is not known or too old.
func (s *Size) Get(ctx context.Context, count func(context.Context) (engine.Size, error)) (engine.Size, error) {
	const fresh = 3 * time.Second
	return s.get(ctx, fresh, count)
}

// Last returns the last size that was counted.
func (s *Size) Last() engine.Size {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}

// Forget drops the count; call it after every change.
func (s *Size) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = time.Time{}
	s.changes++
}
