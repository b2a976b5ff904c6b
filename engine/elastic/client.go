package elastic

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
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Bounds of responses.
const maxHeader = 64 << 10

var maxResponse int64 = 128 << 20 // less in tests

// connections is how many requests of a store are under way at once.
const connections = 8

// client asks a server about one index.
type client struct {
	http   *http.Client
	server string
	index  string // with the slash before it
	login  login
}

func newClient(a *address) *client {
	scheme := "http://"
	if a.secure {
		scheme = "https://"
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: time.Minute}
	return &client{
		http: &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
				ForceAttemptHTTP2: true, MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, IdleConnTimeout: time.Minute,
				MaxResponseHeaderBytes: maxHeader,
				DisableCompression:     true, // vectors compress badly
			},
			// Another place has no business with the password.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		server: scheme + a.host, index: "/" + url.PathEscape(a.collection), login: a.login,
	}
}

// formError is an answer that is not what Elasticsearch answers.
type formError struct{ problem string }

func (e *formError) Error() string { return "the answer is not one of Elasticsearch's: " + e.problem }

// lost is that there was no answer, or only a part of one.
func lost(err error) error {
	return webclient.Lost("the server cannot be reached, has hung up or does not speak HTTP", err)
}

// errLarge is that an answer is too long to be read.
var errLarge = errors.New("the answer is too long")

// lines are several values of JSON, a line each.
type lines []byte

// ask sends a request about the index, repeats it after errors that may pass, and decodes the
// answer into out. Every request of this package may be sent twice.
func (c *client) ask(ctx context.Context, method, path string, in, out any) error {
	body, isLines := in.(lines)
	if !isLines && in != nil {
		var err error
		if body, err = marshal(in); err != nil {
			return err
		}
	}
	kind := "application/json"
	if isLines {
		kind = "application/x-ndjson"
	}
	pace := webclient.Pace{First: remote.FirstPause, Most: time.Second, Patience: time.Minute, Retries: remote.Repetitions}
	return pace.Insist(ctx, nil, func() (further bool, err error) {
		return false, c.once(ctx, method, path, kind, body, out)
	})
}

func (c *client) once(ctx context.Context, method, path, kind string, body []byte, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, c.server+c.index+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("User-Agent", "nsfl")
	r.Header["Idempotency-Key"] = nil // not sent: marks the request as safe to retry for net/http
	if proof := c.login.header(); proof != "" {
		r.Header.Set("Authorization", proof)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return lost(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusCreated {
		return c.refusal(answer)
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxResponse+1))
	switch {
	case err != nil:
		return lost(err)
	case int64(len(content)) > maxResponse:
		return errLarge
	}
	if err := json.Unmarshal(content, out); err != nil {
		return &formError{webclient.Line(err.Error(), 200)}
	}
	return nil
}

// refusal adds advice to common errors.
func (c *client) refusal(answer *http.Response) error {
	e := webclient.Refusal(answer, c.login.hide)
	if e.Kind == "search_phase_execution_exception" {
		// Equal searches share one computation, and fail if the client that started it is
		// gone.
		e.Passes = true
	}
	switch e.Code {
	case http.StatusUnauthorized:
		e.Advice = "give a user in the address and the password in ELASTIC_PASSWORD, or a key in ELASTIC_API_KEY"
	case http.StatusForbidden:
		e.Advice = "to search an index, its privileges read and view_index_metadata are needed"
	}
	return e
}

// refused reports whether the server refuses with a status.
func refused(err error, code int) bool {
	e := (*webclient.StatusError)(nil)
	return errors.As(err, &e) && e.Code == code
}

// marshal is JSON without the escapes that are for HTML, on a line.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// each runs f for 0 to n-1, some at the same time, until one fails.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	return workers.Each(ctx, n, remote.Parallelism, f)
}
