package weaviate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// suspicion is how long a host may take before it is asked whether it is there,
// and may take to answer that. It matters only where there is another host.
var suspicion = 2 * time.Second // shorter in tests

// parallelism is how many requests of one call are under way at the same time.
const parallelism = 4

var errSilent = fmt.Errorf("%w: the node does not answer", errLost)

// read runs f, which changes nothing, as on says.
func (c *cluster) read(ctx context.Context, doing string, f func(context.Context, *host) error) error {
	return c.calls.Read(ctx, doing, c.on(f))
}

// on runs f, which must be safe to run again, on one host after the other until it
// succeeds or an error is one that no repetition mends. The host that it succeeds on
// is the first that the next call asks.
func (c *cluster) on(f func(context.Context, *host) error) func(context.Context) error {
	return func(ctx context.Context) error {
		return remote.Again(ctx, again, func() (err error) {
			for range c.hosts {
				at := c.current.Load()
				h := c.hosts[int(at)%len(c.hosts)]
				h.conn.ResetConnectBackoff()
				if err = c.watch(ctx, h, f); err == nil || ctx.Err() != nil || !again(err) {
					return err
				}
				c.current.CompareAndSwap(at, at+1)
			}
			return err
		})
	}
}

// watch runs f and, where there are other hosts, gives up on one that has stopped
// answering.
func (c *cluster) watch(ctx context.Context, h *host, f func(context.Context, *host) error) error {
	if len(c.hosts) == 1 {
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
	return workers.Each(ctx, n, parallelism, f)
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
	return false
}

// reword says whose error it is.
func reword(err error) error {
	answer, answered := status.FromError(err)
	switch {
	case errors.Is(err, errLost) || !answered:
		return err
	case answer.Code() == codes.Unauthenticated || answer.Code() == codes.PermissionDenied:
		return fmt.Errorf("the server refuses the key: set WEAVIATE_API_KEY to one that may do this (%s)", answer.Message())
	}
	return fmt.Errorf("the server says: %s", answer.Message())
}
