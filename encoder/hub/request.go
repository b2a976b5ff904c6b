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

// finalError is a failure to connect that the next try would meet again.
type finalError string

func (e finalError) Error() string { return string(e) }

// answer is an answer whose body ends with an error that passes when it breaks
// off, and when nothing comes for longer than the time-out.
type answer struct {
	*http.Response
	hub    *hub
	ctx    context.Context // the caller's
	silent *time.Timer
	stop   context.CancelCauseFunc
	quiet  context.Context // done when stop was called
}

// ask sends a request. An answer of the status 200
// or 206 is returned, and has to be closed.
func (h *hub) ask(ctx context.Context, address *url.URL, header http.Header) (*answer, error) {
	quiet, stop := context.WithCancelCause(ctx)
	a := &answer{hub: h, ctx: ctx, quiet: quiet, stop: stop}
	a.silent = time.AfterFunc(h.timeout, func() {
		stop(fmt.Errorf("nothing has come for %s", h.timeout))
	})
	r, err := http.NewRequestWithContext(quiet, http.MethodGet, address.String(), nil)
	if err != nil {
		a.close()
		return nil, errors.New("the address of the hub cannot be used")
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
	a.stop(nil) // so that what is left of the body is not waited for
	if a.Response != nil {
		_ = a.Body.Close()
	}
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Body.Read(p)
	if n > 0 {
		a.silent.Reset(a.hub.timeout)
	}
	if err != nil && err != io.EOF { //nolint:errorlint // io.Reader's contract is the value itself
		err = a.explain(err)
	}
	return n, err
}

// explain says why an answer did not come or broke off.
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
