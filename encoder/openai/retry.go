package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
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
	d := p.most
	if n < 30 && p.first < p.most>>n {
		d = p.first << n
	}
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
		if err := sleep(ctx, pause); err != nil {
			return nil, err
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
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &name) && name.IsNotFound || errors.As(err, &certificate) {
		return false
	}
	return true
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
