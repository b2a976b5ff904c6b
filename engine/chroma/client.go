package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// Bounds of what is sent and taken. Chroma refuses requests of more than 40 MiB.
const (
	maxRequest  = 32 << 20
	maxResponse = 128 << 20
	maxProblem  = 64 << 10 // of an answer that is none
)

// connections is how many requests of a store are under way at once.
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
				MaxResponseHeaderBytes: maxProblem,
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

// answerError is an answer that is not 200.
type answerError struct {
	status  int
	problem string
	after   time.Duration // before which there is no use in asking again
}

func (e *answerError) Error() string {
	return fmt.Sprintf("the server answers %d %s: %s", e.status, http.StatusText(e.status), e.problem)
}

// formError is an answer that is not what Chroma answers.
type formError struct{ problem string }

func (e *formError) Error() string {
	return "the answer is not one of Chroma's API v2: " + e.problem
}

// linkError is that there was no answer, or only a part of one.
type linkError struct{ err error }

func (e *linkError) Error() string {
	return "the server cannot be reached, has hung up or does not speak HTTP: " + problemOf(e.err.Error())
}

func (e *linkError) Unwrap() error { return e.err }

// errLarge is that an answer is too long to be read.
var errLarge = errors.New("the answer is too long")

// ask sends a request, again where there is hope, and returns what is answered. Every
// request of this package may be sent twice.
func (c *client) ask(ctx context.Context, method, to string, in any) (out []byte, err error) {
	var body []byte
	if in != nil {
		if body, err = marshal(in); err != nil {
			return nil, err
		}
	}
	err = pooling.Again(ctx, hope, func() (err error) {
		out, err = c.once(ctx, method, to, body)
		return err
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
	r.Header["Idempotency-Key"] = nil // not sent: it tells net/http that the request may be sent twice
	if c.credentials.token != "" {
		r.Header.Set("X-Chroma-Token", c.credentials.token)
	}
	if c.credentials.authorization != "" {
		r.Header.Set("Authorization", c.credentials.authorization)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		if outer := (*url.Error)(nil); errors.As(err, &outer) {
			err = outer.Err // without the address, which explain tells
		}
		return nil, &linkError{err}
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, maxProblem)) // as much as there is
		return nil, &answerError{answer.StatusCode, problemOf(c.credentials.hide(string(text))), retry.After(answer.Header.Get("Retry-After"), time.Now())}
	}
	out, err := io.ReadAll(io.LimitReader(answer.Body, c.maxResponse+1))
	switch {
	case err != nil:
		return nil, &linkError{err}
	case int64(len(out)) > c.maxResponse:
		return nil, errLarge
	}
	return out, nil
}

// problemOf is what an answer says that went wrong, in one line.
func problemOf(message string) string {
	var e struct{ Error, Message string }
	if json.Unmarshal([]byte(message), &e) == nil && e.Error+e.Message != "" {
		message = strings.TrimPrefix(e.Error+": "+e.Message, ": ")
	}
	const most = 300
	message = strings.Join(strings.Fields(strings.ToValidUTF8(message, "�")), " ")
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	if message == "" {
		return "nothing more"
	}
	return message
}

// hope reports whether a request may go better the next time: the connection was
// lost or could not be made, or the server is not ready or has too much to do.
func hope(err error) (after time.Duration, again bool) {
	var answer *answerError
	if errors.As(err, &answer) {
		return answer.after, answer.status == http.StatusTooManyRequests || answer.status >= 500 && answer.status != http.StatusNotImplemented
	}
	var network net.Error
	lost := errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
	return 0, lost && !retry.Hopeless(err)
}

// marshal is JSON without the escapes that are for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
