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

var errSilent = fmt.Errorf("%w: the node does not answer", errLost)

type hostKey struct{}

// hostOf returns the host that a request of an attempt goes to.
func hostOf(ctx context.Context) *host { return ctx.Value(hostKey{}).(*host) }

// Attempt runs f on one host after the other until it succeeds or an error is one that no
// repetition mends. The host that it succeeds on is the first that the next call asks.
func (d *driver) Attempt(ctx context.Context, f func(context.Context) error) error {
	return remote.Again(ctx, again, func() (err error) {
		for range d.hosts {
			at := d.current.Load()
			h := d.hosts[int(at)%len(d.hosts)]
			h.conn.ResetConnectBackoff()
			if err = d.watch(context.WithValue(ctx, hostKey{}, h), h, f); err == nil || ctx.Err() != nil || !again(err) {
				return err
			}
			d.current.CompareAndSwap(at, at+1)
		}
		return err
	})
}

// watch runs f and, where there are other hosts, gives up on one that has stopped answering.
func (d *driver) watch(ctx context.Context, h *host, f func(context.Context) error) error {
	if len(d.hosts) == 1 {
		return f(ctx)
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
	err := f(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	cancel(nil)
	watching.Wait()
	return err
}

// each runs f for 0 to n-1, some at the same time, until one fails.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	return workers.Each(ctx, n, remote.Parallelism, f)
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
