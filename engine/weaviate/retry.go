package weaviate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// repetitions is how often all hosts are tried again, after firstPause, then after
// twice that, and so on.
const repetitions = 3

var firstPause = 100 * time.Millisecond // shorter in tests

// suspicion is how long a host may take before it is asked whether it is there,
// and may take to answer that. It matters only where there is another host.
var suspicion = 2 * time.Second // shorter in tests

// parallelism is how many requests of one call are under way at the same time.
const parallelism = 4

var (
	errSlow   = errors.New("no answer in time")
	errSilent = fmt.Errorf("%w: the node does not answer", errLost)
)

// attempt runs f, which must be safe to run again, on one host after the other
// until it succeeds or an error is one that no repetition mends, and explains how
// it failed. The host that it succeeds on is the first that the next call asks.
func (s *Store) attempt(ctx context.Context, doing string, limit time.Duration, f func(context.Context, *host) error) error {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if s.closed {
		return s.explain(doing, index.ErrClosed)
	}
	inner, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	for try := 1; ; try++ {
		at := s.current.Load()
		h := s.hosts[int(at)%len(s.hosts)]
		err := s.watch(inner, h, f)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", doing, ctx.Err())
		}
		if errors.Is(context.Cause(inner), errSlow) {
			err = fmt.Errorf("there was no answer within %s: the server is overloaded or stuck, or the time-out too short (%w)", limit, context.DeadlineExceeded)
			return s.explain(doing, err)
		}
		if !again(err) || try == len(s.hosts)*(repetitions+1) {
			return s.explain(doing, err)
		}
		s.current.CompareAndSwap(at, at+1)
		if round := try / len(s.hosts); try%len(s.hosts) == 0 && retry.Sleep(inner, retry.Pause(firstPause, time.Second, round-1)) != nil {
			return s.explain(doing, err)
		}
		h.conn.ResetConnectBackoff()
	}
}

// watch runs f and, where there are other hosts, gives up on one that has stopped
// answering.
func (s *Store) watch(ctx context.Context, h *host, f func(context.Context, *host) error) error {
	if len(s.hosts) == 1 {
		return f(ctx, h)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		for retry.Sleep(ctx, suspicion) == nil {
			if !h.alive(ctx) {
				cancel(errSilent)
			}
		}
	})
	err := f(ctx, h)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	cancel(nil)
	watching.Wait()
	return err
}

// each runs f for 0 to n-1, some at the same time, until one fails.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, parallelism)
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// again reports whether an attempt may go better the next time, or elsewhere.
// Weaviate has no code of its own for "a replica could not be reached".
func again(err error) bool {
	if errors.Is(err, errLost) {
		return !retry.Hopeless(err)
	}
	if s, ok := status.FromError(err); ok {
		switch s.Code() {
		case codes.Unknown, codes.Internal, codes.Aborted, codes.Canceled:
			return true
		}
	}
	return errors.Is(err, errPartly)
}

// explain says what was being done, where, and what went wrong there.
func (s *Store) explain(doing string, err error) error {
	var mismatch *index.MismatchError
	var format *index.FormatError
	answer, answered := status.FromError(err)
	switch {
	case errors.As(err, &mismatch) || errors.As(err, &format):
		return err // which say all of it
	case errors.Is(err, errLost) || !answered:
		return fmt.Errorf("%s in %s: %w", doing, s.place, err)
	case answer.Code() == codes.Unauthenticated || answer.Code() == codes.PermissionDenied:
		return fmt.Errorf("%s in %s: the server refuses the key: set WEAVIATE_API_KEY to one that may do this (%s)", doing, s.place, answer.Message())
	}
	return fmt.Errorf("%s in %s: the server says: %s", doing, s.place, answer.Message())
}
