package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// pace is how long to wait.
type pace struct {
	first    time.Duration // before the first repetition of a request; each further one waits twice as long
	most     time.Duration // but no longer than this
	patience time.Duration // the longest wait that a server may ask for
	lock     time.Duration // between two looks at a lock that is taken
}

var patient = pace{first: 500 * time.Millisecond, most: 30 * time.Second, patience: 5 * time.Minute, lock: 250 * time.Millisecond}

// insist tries until it works, or until trying again has no use. Tries that got
// further than all before them do not count. tell hears of every failure that is
// not the last.
func (h *hub) insist(ctx context.Context, tell func(error, time.Duration), try func() (further bool, err error)) error {
	for vain := 0; ; {
		further, err := try()
		if err == nil || ctx.Err() != nil || !passes(err) {
			return err
		}
		vain++
		if further {
			vain = 0
		}
		if vain > h.retries {
			if vain > 1 {
				err = fmt.Errorf("after %d tries: %w", vain, err)
			}
			return err
		}
		pause := retry.Pause(h.pace.first, h.pace.most, max(vain-1, 0))
		if status := (*StatusError)(nil); errors.As(err, &status) {
			if status.after > h.pace.patience {
				return fmt.Errorf("%w; it wants no request for %s", err, status.after.Round(time.Second))
			}
			pause = max(pause, status.after)
		}
		tell(err, pause)
		if err := retry.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// passes tells whether an error may be gone at the next try.
func passes(err error) bool {
	if passing := (*passingError)(nil); errors.As(err, &passing) {
		return !retry.Hopeless(err)
	}
	if status := (*StatusError)(nil); errors.As(err, &status) {
		switch status.Code {
		case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusTooEarly:
			return true
		case http.StatusForbidden:
			return !status.own // a signed address that has expired: the hub gives a new one
		case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
			return false
		}
		return status.Code >= 500
	}
	return false
}
