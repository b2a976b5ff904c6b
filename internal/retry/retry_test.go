package retry

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	for n, want := range map[int]float64{0: 1, 1: 2, 3: 8, 4: 10, 40: 10, 1000: 10} {
		if got := Pause(time.Second, 10*time.Second, n); got.Seconds() != want {
			t.Errorf("pause %d is %s, want %vs", n, got, want)
		}
	}
}

func TestAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "soon": 0, "1.5": 0,
		"Fri, 02 Jan 2026 03:04:35 GMT": 30 * time.Second,
		"Fri, 02 Jan 2026 03:04:00 GMT": 0,
	} {
		if got := After(header, now); got != want {
			t.Errorf("%q is %s, want %s", header, got, want)
		}
	}
	if got := After("99999999999999999999", now); got != 0 {
		t.Errorf("a number that is none: %s", got)
	}
	if got := After("9999999999999999999", now); got < 100*365*24*time.Hour {
		t.Errorf("a huge number of seconds became %s", got)
	}
}

func TestSleep(t *testing.T) {
	if err := Sleep(context.Background(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled sleep: %v", err)
	}
}

func TestHopeless(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{errors.New("reset"), false},
		{fmt.Errorf("asking: %w", &net.DNSError{IsNotFound: true}), true},
		{&net.DNSError{IsTimeout: true}, false},
	} {
		if got := Hopeless(c.err); got != c.want {
			t.Errorf("Hopeless(%v) = %t, want %t", c.err, got, c.want)
		}
	}
}
