package public

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// client asks servers for files, with the environment's proxy.
type client struct {
	http    *http.Client
	timeout time.Duration // without a byte, after which a connection counts as broken
	pace    webclient.Pace
}

func newClient() *client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // so that close ends no other's connections
	return &client{
		http:    &http.Client{Transport: transport, CheckRedirect: redirect},
		timeout: 30 * time.Second,
		pace:    webclient.Pace{First: 500 * time.Millisecond, Most: 10 * time.Second, Patience: time.Minute, Retries: 3},
	}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// redirectError is a redirect that is not followed.
type redirectError string

func (e redirectError) Error() string { return string(e) }

func redirect(r *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return redirectError("it redirects 10 times")
	}
	if last := via[len(via)-1].URL; last.Scheme == "https" && r.URL.Scheme != "https" {
		return redirectError("it redirects from https to " + r.URL.Scheme + ", which is not followed")
	}
	return nil
}

// ask sends a request until it is answered with 200, or trying again has no use, and has
// the answer read.
func (c *client) ask(ctx context.Context, method, address string, read func(*http.Response) error) error {
	return c.pace.Insist(ctx, nil, func() (bool, error) { return false, c.try(ctx, method, address, read) })
}

func (c *client) try(ctx context.Context, method, address string, read func(*http.Response) error) error {
	quiet, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := time.AfterFunc(c.timeout, func() { stop(fmt.Errorf("nothing has come for %s", c.timeout)) })
	defer silence.Stop()
	request, err := http.NewRequestWithContext(quiet, method, address, nil)
	if err != nil {
		return errors.New("the address cannot be used")
	}
	request.Header.Set("User-Agent", "nsfl")
	request.Header.Set("Accept-Encoding", "identity") // lest sizes are those of something else
	response, err := c.http.Do(request)
	if err != nil {
		return explain(ctx, quiet, err)
	}
	defer response.Body.Close() //nolint:errcheck // what was read of it was read
	if response.StatusCode != http.StatusOK {
		return webclient.Refusal(response, func(s string) string { return s })
	}
	heard := &heard{r: response.Body, tell: func() { silence.Reset(c.timeout) }}
	response.Body = heard
	if err = read(response); heard.err != nil {
		return explain(ctx, quiet, heard.err)
	}
	if err != nil {
		return ownError{err}
	}
	return nil
}

// ownError is a failure of this machine, or of what was asked for, not of a connection.
type ownError struct{ error }

func (e ownError) Unwrap() error { return e.error }

// heard tells of what comes, and keeps the error that ends it early.
type heard struct {
	r    io.ReadCloser
	tell func()
	err  error
}

func (h *heard) Close() error { return h.r.Close() }

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	if n > 0 {
		h.tell()
	}
	if err != nil && err != io.EOF {
		h.err = err
	}
	return n, err
}

// explain says why there is no answer, or only a part of one.
func explain(ctx, quiet context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused := redirectError(""); errors.As(err, &refused) {
		return refused
	}
	if quiet.Err() != nil {
		err = context.Cause(quiet)
	}
	return webclient.Lost("the connection failed", err)
}

// size asks how large a file is; -1 says that the server does not tell.
func (c *client) size(ctx context.Context, address string) (n int64, err error) {
	n = -1
	err = c.ask(ctx, http.MethodHead, address, func(r *http.Response) error {
		n = r.ContentLength
		return nil
	})
	if status := (*webclient.StatusError)(nil); errors.As(err, &status) && status.Code != http.StatusNotFound && status.Code != http.StatusGone {
		return -1, nil // many a server knows GET only
	}
	return n, err
}

// advise adds to an error what can be done about it.
func advise(err error, b Benchmark, address string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	shown := address
	if u, parseErr := url.Parse(address); parseErr == nil {
		shown = u.Redacted()
	}
	advice := "check the network and $HTTPS_PROXY, or get the files elsewhere and name their folder with --from"
	var refused redirectError
	var status *webclient.StatusError
	switch {
	case errors.As(err, &ownError{}):
		return fmt.Errorf("fetching %s: %w", shown, err)
	case errors.As(err, &refused), errors.As(err, &status) && !status.Passes:
		advice = fmt.Sprintf("it may have moved: see %s, and name another address or a folder with the files by --from", b.Page)
	case errors.As(err, &status):
		advice = "try again later"
	}
	return fmt.Errorf("fetching %s: %w; %s", shown, err, advice)
}
