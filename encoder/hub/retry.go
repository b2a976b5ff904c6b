package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// pace is how long to wait.
type pace struct {
	first    time.Duration // before the first repetition of a request; each further one waits twice as long
	most     time.Duration // but no longer than this
	patience time.Duration // the longest wait that a server may ask for
	lock     time.Duration // between two looks at a lock that is taken
}

var patient = pace{first: 500 * time.Millisecond, most: 30 * time.Second, patience: 5 * time.Minute, lock: 250 * time.Millisecond}

// pause is the wait before the n-th repetition, n from 0.
func (p pace) pause(n int) time.Duration {
	if n < 30 && p.first < p.most>>n {
		return p.first << n
	}
	return p.most
}

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
		pause := h.pace.pause(max(vain-1, 0))
		if status := (*StatusError)(nil); errors.As(err, &status) {
			if status.after > h.pace.patience {
				return fmt.Errorf("%w; it wants no request for %s", err, status.after.Round(time.Second))
			}
			pause = max(pause, status.after)
		}
		tell(err, pause)
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// passes tells whether an error may be gone at the next try.
func passes(err error) bool {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	if passing := (*passingError)(nil); errors.As(err, &passing) {
		return !(errors.As(err, &name) && name.IsNotFound || errors.As(err, &certificate))
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

// retryAfter reads a Retry-After header, which has seconds or a date. What cannot
// be read counts as none.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 64); err == nil {
		return time.Duration(min(seconds, math.MaxInt64/uint64(time.Second))) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
