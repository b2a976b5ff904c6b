package openai

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	p := pace{first: 100 * time.Millisecond, most: time.Second}
	for n, ms := range []int{100, 200, 400, 800, 1000, 1000} {
		want := time.Duration(ms) * time.Millisecond
		for range 100 {
			if got := p.pause(n); got < want/2 || got > want {
				t.Fatalf("pause %d is %s, want between %s and %s", n, got, want/2, want)
			}
		}
	}
	if got := p.pause(1000); got > time.Second {
		t.Errorf("pause 1000 is %s", got)
	}
}

func TestReadRetryAfter(t *testing.T) {
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "soon": 0, "1.5": 0,
		"Thu, 29 Feb 2024 12:01:30 GMT": 90 * time.Second,
		"Thu, 29 Feb 2024 11:00:00 GMT": 0,
		"18446744073709551615":          9223372036 * time.Second,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&connectionError{errors.New("reset")}, true},
		{&connectionError{&net.DNSError{IsTimeout: true}}, true},
		{&connectionError{&net.OpError{Err: &net.DNSError{IsNotFound: true}}}, false},
		{&connectionError{&tls.CertificateVerificationError{Err: errors.New("expired")}}, false},
		{fmt.Errorf("wrapped: %w", &StatusError{Code: 502}), true},
		{&StatusError{Code: 408}, true},
		{&StatusError{Code: 422}, false},
		{&StatusError{Code: 505}, false},
		{errors.New("the answer is odd"), false},
	} {
		if got := passes(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
