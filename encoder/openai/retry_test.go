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
