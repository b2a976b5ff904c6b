package webclient

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestPause(t *testing.T) {
	p := Pace{First: 100 * time.Millisecond, Most: time.Second}
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
		{Lost("no answer", errors.New("reset")), true},
		{Lost("no answer", &net.DNSError{IsTimeout: true}), true},
		{Lost("no answer", &net.OpError{Err: &net.DNSError{IsNotFound: true}}), false},
		{Lost("no answer", &tls.CertificateVerificationError{Err: errors.New("expired")}), false},
		{fmt.Errorf("wrapped: %w", refused(502)), true},
		{refused(408), true},
		{refused(422), false},
		{refused(505), false},
		{errors.New("the answer is odd"), false},
	} {
		if got := passes(c.err); got != c.want {
			t.Errorf("passes(%v) = %t, want %t", c.err, got, c.want)
		}
	}
}

// refused returns the error for a status.
func refused(code int) error {
	request := httptest.NewRequest(http.MethodGet, "http://h/", nil)
	return Refusal(&http.Response{StatusCode: code, Body: http.NoBody, Request: request}, func(s string) string { return s })
}

// TestComplaint lists the forms of error responses.
func TestComplaint(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"error":{"message":"a","type":"t","code":"c"}}`:  {"a", "c"},
		`{"error":{"message":"a","code":404}}`:             {"a", ""},
		`{"error":"a"}`:                                    {"a", ""},
		`{"message":"a","type":"t","code":413}`:            {"a", ""},
		`{"detail":"a"}`:                                   {"a", ""},
		`{"error":{"type":"t","reason":"a"},"status":404}`: {"a", "t"},
		`{"error":"NotFoundError","message":"a"}`:          {"NotFoundError: a", ""},
		`{"detail":[{"msg":"a"}]}`:                         {"", ""},
		`{"error":null}`:                                   {"", ""},
		`{"error":[1]}`:                                    {"", ""},
		`oops`:                                             {"", ""},
	} {
		if message, kind := complaint([]byte(body)); message != want[0] || kind != want[1] {
			t.Errorf("%s: %q, %q; want %q", body, message, kind, want)
		}
	}
}

// FuzzComplaint: any error response can be parsed or is ignored.
func FuzzComplaint(f *testing.F) {
	for _, body := range []string{`{"error":{"message":"a","code":"c"}}`, `{"error":"a","message":"b"}`, `{"detail":[1]}`, `{"error":7}`, `[]`, ``, `<html>`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		message, _ := complaint(body)
		if line := Line(message, 300); strings.ContainsAny(line, "\n\r") || utf8.RuneCountInString(line) > 301 {
			t.Errorf("got %q, want one line of at most 300 characters", line)
		}
	})
}
