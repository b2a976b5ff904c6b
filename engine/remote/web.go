package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Web sends requests with JSON to an HTTP server.
type Web struct {
	Base   string
	Header http.Header         // sent with every request
	Hide   func(string) string // removes secrets from messages of the server
	// Advise, if not nil, adds advice to a refusal.
	Advise      func(*webclient.StatusError)
	MaxResponse int64

	http *http.Client
}

// ErrLarge means that an answer is too long to be read: ask for less.
var ErrLarge = errors.New("the answer is too long")

// AnswerError is an answer that the engine does not give.
type AnswerError struct{ Problem string }

func (e *AnswerError) Error() string {
	return "the answer is not one of this engine: " + e.Problem
}

// BadAnswer returns an *AnswerError.
func BadAnswer(problem string, args ...any) error {
	return &AnswerError{fmt.Sprintf(problem, args...)}
}

// NewWeb returns a client of the server at a base URL.
func NewWeb(base string, hide func(string) string) *Web {
	const connections = 2 * Parallelism
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: time.Minute}
	return &Web{Base: base, Header: http.Header{"User-Agent": {"nsfl"}}, Hide: hide, MaxResponse: 128 << 20, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2: true, MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // vectors compress badly
		},
		// Credentials must not follow a redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// UseTLS sets how the server is verified.
func (w *Web) UseTLS(c *tls.Config) { w.http.Transport.(*http.Transport).TLSClientConfig = c }

// SetHeader adds a header to all requests. Its value comes from the environment or an address.
func (w *Web) SetHeader(name, value string) error {
	for i := range len(value) {
		if value[i] < ' ' || value[i] > '~' {
			return engine.BadInput("the credentials", "they have a character that cannot be in a header, perhaps the end of a line")
		}
	}
	w.Header.Set(name, value)
	return nil
}

// Ask sends a request, repeats it after errors that may pass, and decodes the answer into out
// unless that is nil. The input is nil, a value to encode as JSON, or []byte with lines of
// JSON. Every request may be sent twice.
func (w *Web) Ask(ctx context.Context, method, path string, in, out any) error {
	body, kind := []byte(nil), "application/json"
	switch in := in.(type) {
	case nil:
	case []byte:
		body, kind = in, "application/x-ndjson"
	default:
		var err error
		if body, err = Marshal(in); err != nil {
			return err
		}
	}
	pace := webclient.Pace{First: FirstPause, Most: time.Second, Patience: time.Minute, Retries: Repetitions}
	return pace.Insist(ctx, nil, func() (further bool, err error) { return false, w.once(ctx, method, path, kind, body, out) })
}

func (w *Web) once(ctx context.Context, method, path, kind string, body []byte, out any) error {
	const lost = "the server cannot be reached, has hung up or does not speak HTTP"
	r, err := http.NewRequestWithContext(ctx, method, w.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = w.Header.Clone()
	r.Header.Set("Content-Type", kind)
	r.Header["Idempotency-Key"] = nil // not sent: marks the request as safe to retry for net/http
	answer, err := w.http.Do(r)
	if err != nil {
		return webclient.Lost(lost, err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	if answer.StatusCode/100 != 2 {
		e := webclient.Refusal(answer, w.Hide)
		if w.Advise != nil {
			w.Advise(e)
		}
		return e
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, w.MaxResponse+1))
	switch {
	case err != nil:
		return webclient.Lost(lost, err)
	case int64(len(content)) > w.MaxResponse:
		return ErrLarge
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(content, out); err != nil {
		return BadAnswer("%s", webclient.Line(err.Error(), 200))
	}
	return nil
}

func (w *Web) Close() error {
	w.http.CloseIdleConnections()
	return nil
}

// Refused reports whether the server refused a request with a status.
func Refused(err error, code int) bool {
	e := (*webclient.StatusError)(nil)
	return errors.As(err, &e) && e.Code == code
}

// Marshal returns JSON on one line without the escapes that are for HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
