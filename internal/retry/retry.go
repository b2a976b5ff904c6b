// Package retry helps clients retry requests: how long to wait, and whether it is worth
// it. It does not know which servers are called, or for what.
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

// Pause returns the delay before the n-th retry, n from 0: first, doubling each time, up
// to most.
func Pause(first, most time.Duration, n int) time.Duration {
	if n < 30 && first < most>>n {
		return first << n
	}
	return most
}

// Sleep waits for d, or returns the context's error as soon as it is done.
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

// After parses a Retry-After header, which holds seconds or a date. An invalid header
// counts as absent.
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

// Hopeless reports whether a failed connection will fail again: the host does not exist,
// or its certificate is not trusted.
func Hopeless(err error) bool {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &name) && name.IsNotFound || errors.As(err, &certificate)
}
