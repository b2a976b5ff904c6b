package hub

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// slowBody returns one byte at a time, each after a pause.
type slowBody struct {
	pauses []time.Duration
	closed <-chan struct{}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if len(b.pauses) == 0 {
		return 0, io.EOF
	}
	select {
	case <-time.After(b.pauses[0]):
	case <-b.closed:
		return 0, io.ErrUnexpectedEOF
	}
	b.pauses = b.pauses[1:]
	p[0] = 'x'
	return 1, nil
}

func (b *slowBody) Close() error { return nil }

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// A response may take arbitrarily long as long as some data arrives within each timeout.
// The test uses a fake clock.
func TestSlow(t *testing.T) {
	const timeout = 30 * time.Second
	for name, c := range map[string]struct {
		pauses []time.Duration
		bytes  int
		want   string
	}{
		"slow":  {[]time.Duration{29 * time.Second, 29 * time.Second, 29 * time.Second}, 3, ""},
		"stuck": {[]time.Duration{29 * time.Second, 31 * time.Second}, 1, "no data received for 30s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := open("http://hub.invalid")
				must(t, err)
				h.timeout = timeout
				h.client.Transport = transport(func(r *http.Request) (*http.Response, error) {
					body := &slowBody{c.pauses, r.Context().Done()}
					return &http.Response{StatusCode: http.StatusOK, Body: body, Request: r, Header: http.Header{}}, nil
				})
				var content []byte
				err = h.get(t.Context(), h.base, 0, func(answer *http.Response) (err error) {
					content, err = io.ReadAll(answer.Body)
					return err
				})
				if len(content) != c.bytes {
					t.Errorf("got %d bytes, want %d", len(content), c.bytes)
				}
				if c.want == "" {
					must(t, err)
				} else {
					expectError(t, err, c.want)
				}
			})
		})
	}
}
