package hub

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

func broken(err error) error { return webclient.Lost("the connection failed", err) }

// finalError is a failure that retrying would not fix.
type finalError string

func (e finalError) Error() string { return string(e) }

// answer is a response. Reading its body fails with a retryable error when the connection
// breaks, or when no data arrives within the timeout.
type answer struct {
	*http.Response
	hub    *hub
	ctx    context.Context // the caller's context
	silent *time.Timer
	stop   context.CancelCauseFunc
	quiet  context.Context // done once stop is called
}

// ask sends a request and returns the response if its status is 200 or 206. The caller
// must close it.
func (h *hub) ask(ctx context.Context, address *url.URL, header http.Header) (*answer, error) {
	quiet, stop := context.WithCancelCause(ctx)
	a := &answer{hub: h, ctx: ctx, quiet: quiet, stop: stop}
	a.silent = time.AfterFunc(h.timeout, func() {
		stop(fmt.Errorf("no data received for %s", h.timeout))
	})
	r, err := http.NewRequestWithContext(quiet, http.MethodGet, address.String(), nil)
	if err != nil {
		a.close()
		return nil, errors.New("the hub's address is not valid")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("User-Agent", "nsfl")
	if h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	if a.Response, err = h.client.Do(r); err != nil {
		err = a.explain(err)
		a.close()
		return nil, err
	}
	a.silent.Reset(h.timeout)
	if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusPartialContent {
		defer a.close()
		return nil, h.refusal(a)
	}
	return a, nil
}

func (a *answer) close() {
	a.silent.Stop()
	a.stop(nil) // do not wait for the rest of the body
	if a.Response != nil {
		_ = a.Body.Close()
	}
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Body.Read(p)
	if n > 0 {
		a.silent.Reset(a.hub.timeout)
	}
	if err != nil && err != io.EOF { //nolint:errorlint // io.Reader returns this very value
		err = a.explain(err)
	}
	return n, err
}

// explain returns why a response failed or broke off.
func (a *answer) explain(err error) error {
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if a.quiet.Err() != nil {
		return broken(context.Cause(a.quiet))
	}
	if final := finalError(""); errors.As(err, &final) {
		return final
	}
	err = broken(err)
	if text := err.Error(); a.hub.scrub(text) != text {
		err = webclient.Passing(errors.New(a.hub.scrub(text)))
	}
	return err
}
