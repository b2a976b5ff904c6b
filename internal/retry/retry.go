// Package retry has what those share who ask a server again: how long to wait,
// and whether there is any use in it. Whom they ask, and for what, it does not know.
package retry

import (
	"context"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Pause is the wait before the n-th repetition, n from 0: first, and twice as long
// each time, but no longer than most.
func Pause(first, most time.Duration, n int) time.Duration {
	if n < 30 && first < most>>n {
		return first << n
	}
	return most
}

// Sleep waits, or returns the context's error as soon as it is done.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// After reads a Retry-After header, which has seconds or a date. What cannot be read
// counts as none.
func After(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 64); err == nil {
		return time.Duration(min(seconds, math.MaxInt64/uint64(time.Second))) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

// Hopeless tells whether a connection that failed will fail again: there is no host
// of that name, or its certificate is not trusted.
func Hopeless(err error) bool {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &name) && name.IsNotFound || errors.As(err, &certificate)
}
