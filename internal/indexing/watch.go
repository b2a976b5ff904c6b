package indexing

import (
	"context"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// Between two passes Watch waits ten times as long as the last one took, so that looking for
// changes takes little of the machine, but at least lookEvery and at most maxWait.
const (
	waitFactor = 10
	lookEvery  = time.Second
	maxWait    = 30 * time.Second
)

// Watch calls pass again and again until ctx is done or the first pass fails. Later failures
// are reported to tell and retried. A pass that finds no changes must be cheap.
func Watch(ctx context.Context, tell func(string), pass func(context.Context) error) error {
	return watch(ctx, lookEvery, tell, pass)
}

func watch(ctx context.Context, every time.Duration, tell func(string), pass func(context.Context) error) error {
	for first := true; ; first = false {
		began := time.Now()
		err := pass(ctx)
		wait := min(max(waitFactor*time.Since(began), every), maxWait)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case first && err != nil:
			return err
		case err != nil:
			tell(fmt.Sprintf("%v; trying again in %s", err, wait.Round(time.Second)))
		case first:
			tell("watching for changes; stop with Ctrl-C")
		}
		if err := retry.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}
