package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Bounds of responses.
const (
	maxResponse = 128 << 20
	maxHeader   = 64 << 10
)

// connections is the number of concurrent requests of a store.
const connections = 8

// client asks a server.
type client struct {
	http        *http.Client
	api         string // of the server
	collections string // of the database
	credentials credentials
	maxResponse int64
}

func newClient(s *server, c credentials) *client {
	scheme := "http"
	if s.secure {
		scheme = "https"
	}
	api := scheme + "://" + s.host + "/api/v2"
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: time.Minute}
	return &client{
		http: &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
				ForceAttemptHTTP2: true, MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, IdleConnTimeout: time.Minute,
				MaxResponseHeaderBytes: maxHeader,
			},
			// Another place has no business with the token.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		api:         api,
		collections: api + "/tenants/" + url.PathEscape(s.tenant) + "/databases/" + url.PathEscape(s.database) + "/collections",
		credentials: c,
		maxResponse: maxResponse,
	}
}

// formError is an answer that is not what Chroma answers.
type formError struct{ problem string }

func (e *formError) Error() string {
	return "the answer is not one of Chroma's API v2: " + e.problem
}

// lost is that there was no answer, or only a part of one.
func lost(err error) error {
	return webclient.Lost("the server cannot be reached, has hung up or does not speak HTTP", err)
}

// errLarge is that an answer is too long to be read.
var errLarge = errors.New("the answer is too long")

// ask sends a request, repeats it after errors that may pass, and returns the answer. Every
// request of this package may be sent twice.
func (c *client) ask(ctx context.Context, method, to string, in any) (out []byte, err error) {
	var body []byte
	if in != nil {
		if body, err = marshal(in); err != nil {
			return nil, err
		}
	}
	pace := webclient.Pace{First: remote.FirstPause, Most: time.Second, Patience: time.Minute, Retries: remote.Repetitions}
	err = pace.Insist(ctx, nil, func() (further bool, err error) {
		out, err = c.once(ctx, method, to, body)
		return false, err
	})
	return out, err
}

func (c *client) once(ctx context.Context, method, to string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "nsfl")
	r.Header["Idempotency-Key"] = nil // not sent: marks the request as safe to retry for net/http
	if c.credentials.token != "" {
		r.Header.Set("X-Chroma-Token", c.credentials.token)
	}
	if c.credentials.authorization != "" {
		r.Header.Set("Authorization", c.credentials.authorization)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, lost(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusCreated {
		return nil, webclient.Refusal(answer, c.credentials.hide)
	}
	out, err := io.ReadAll(io.LimitReader(answer.Body, c.maxResponse+1))
	switch {
	case err != nil:
		return nil, lost(err)
	case int64(len(out)) > c.maxResponse:
		return nil, errLarge
	}
	return out, nil
}

// marshal is JSON without the escapes that are for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
