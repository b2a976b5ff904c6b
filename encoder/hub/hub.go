// Package hub downloads the files of a model from Hugging Face, or a hub with the
// same API, into a directory.
//
// A pull resolves the revision to a commit and lists its files once, and downloads
// from that commit only. Nothing is installed unverified: every file must have the
// size and hash that the hub lists, which is the SHA-256 of large files (LFS) and the
// git blob id of small ones. A file that already exists with the right hash is not
// downloaded again.
//
// Incomplete files are named NAME.part. A broken connection resumes where it stopped,
// in this pull or, if the process was killed, in the next. Files get their final names
// only when all of them are complete and verified, and the manifest is written last: a
// directory without nsfl-model.json holds no complete model. Until then an existing
// model stays as it was.
//
// The usual environment variables apply: HF_ENDPOINT names another hub, HF_TOKEN
// holds a token for gated and private models, and HTTPS_PROXY, HTTP_PROXY and
// NO_PROXY choose a proxy. The token is sent to the hub only, not to the servers
// it redirects to, and never appears in an error.
//
// The package knows about names, bytes and hashes. Callers decide which files a
// model needs.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

const (
	defaultHub  = "https://huggingface.co"
	endpointEnv = "HF_ENDPOINT"
	tokenEnv    = "HF_TOKEN"
)

// hub is a client of a hub.
type hub struct {
	base    *url.URL
	token   string
	timeout time.Duration // longest wait for a byte
	pace    webclient.Pace
	client  *http.Client
}

// open returns a client of the hub at an address; empty for $HF_ENDPOINT or Hugging Face.
func open(address string) (*hub, error) {
	h := &hub{
		timeout: 30 * time.Second,
		pace:    webclient.Pace{First: 500 * time.Millisecond, Most: 30 * time.Second, Patience: 5 * time.Minute, Retries: 5},
	}
	var err error
	h.base, err = webclient.Address(cmp.Or(address, os.Getenv(endpointEnv), defaultHub), defaultHub)
	if err == nil && h.base.User != nil {
		err = fmt.Errorf("holds credentials; set %s to a token instead", tokenEnv)
	}
	if err != nil {
		return nil, fmt.Errorf("the address of the hub %w", err)
	}
	if h.token, err = webclient.Key(tokenEnv); err != nil {
		return nil, err
	}
	// A copy of the default transport, which honors the environment's proxy. Closing it only
	// ends the connections of this pull.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // a broken download goes on at the byte where it stopped
	h.client = &http.Client{Transport: transport, CheckRedirect: h.redirect}
	return h, nil
}

// close ends idle connections and their goroutines.
func (h *hub) close() { h.client.CloseIdleConnections() }

// finalError is a failure that retrying would not fix.
type finalError string

func (e finalError) Error() string { return string(e) }

// redirect decides whether to follow a redirect. It drops the token for other hosts; the
// standard library would send it to other ports and to subdomains.
func (h *hub) redirect(r *http.Request, via []*http.Request) error {
	if !h.isHub(r.URL) {
		r.Header.Del("Authorization")
	}
	if len(via) >= 10 {
		return finalError("the hub redirected 10 times; check its address")
	}
	if last := via[len(via)-1].URL; last.Scheme == "https" && r.URL.Scheme != "https" {
		return finalError("refusing the hub's redirect from https to " + r.URL.Scheme + "; check its address")
	}
	return nil
}

// isHub reports whether u is on the hub itself.
func (h *hub) isHub(u *url.URL) bool {
	return u.Scheme == h.base.Scheme && strings.EqualFold(u.Host, h.base.Host)
}

// scrub removes the token from text a server has sent.
func (h *hub) scrub(text string) string {
	if h.token == "" {
		return text
	}
	return strings.ReplaceAll(text, h.token, "[token]")
}

// get requests the bytes of an address from an offset on, and passes the response to read if its
// status is 200 or 206. It fails with a retryable error when the connection breaks, or when no
// data arrives within the timeout.
func (h *hub) get(ctx context.Context, address *url.URL, offset int64, read func(*http.Response) error) error {
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil) // do not wait for the rest of the body
	silent := time.AfterFunc(h.timeout, func() { stop(fmt.Errorf("no data received for %s", h.timeout)) })
	defer silent.Stop()
	r, err := http.NewRequestWithContext(limited, http.MethodGet, address.String(), nil)
	if err != nil {
		return errors.New("the hub's address is not valid")
	}
	r.Header.Set("User-Agent", "nsfl")
	if h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	if offset > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	broken := func(err error) error {
		if final := finalError(""); errors.As(err, &final) {
			return final
		}
		if limited.Err() != nil {
			err = context.Cause(limited)
		}
		err = webclient.Lost("the connection failed", err)
		if text := err.Error(); h.scrub(text) != text {
			err = webclient.Passing(errors.New(h.scrub(text)))
		}
		return err
	}
	answer, err := h.client.Do(r)
	if err != nil {
		return broken(err)
	}
	defer answer.Body.Close() //nolint:errcheck // the body was read as far as needed
	answer.Body = &body{answer.Body, func() { silent.Reset(h.timeout) }, broken}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusPartialContent {
		return h.refusal(answer)
	}
	return read(answer)
}

// body is the body of a response.
type body struct {
	io.ReadCloser
	arrived func()
	broken  func(error) error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.arrived()
	}
	if err != nil && err != io.EOF { //nolint:errorlint // io.Reader returns this very value
		err = b.broken(err)
	}
	return n, err
}

// StatusError reports that a server refused a request: 401 and 403 for gated or private
// models, 404 for a missing repository, revision or file, 429 for too many requests. The
// server may be one the hub redirects to. Pull's errors wrap it.
type StatusError = webclient.StatusError

// refusal returns the error for a response with an unexpected status. The hub also answers 401
// for models that do not exist, so that the names of private repositories cannot be guessed.
func (h *hub) refusal(answer *http.Response) error {
	e := webclient.Refusal(answer, h.scrub)
	if message := answer.Header.Get("X-Error-Message"); message != "" {
		e.Message = webclient.Line(h.scrub(message), 300)
	}
	switch isHub := h.isHub(answer.Request.URL); e.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		if !isHub {
			e.Passes = e.Code == http.StatusForbidden // a signed address has expired; the hub issues a new one
			e.Advice = "the hub redirects to this server; check whether a firewall blocks it"
		} else {
			e.Advice = "check the name; if the model is private or gated, accept its licence on the model's page and set " +
				tokenEnv + " to a token of the account that did so"
		}
	case http.StatusNotFound:
		e.Advice = "check the names of the repository, the revision and the files"
	case http.StatusProxyAuthRequired:
		e.Advice = "give the proxy's user and password in HTTPS_PROXY"
	case http.StatusTooManyRequests:
		e.Advice = "try later, or set " + tokenEnv + " to a token, which allows more requests"
	}
	return e
}
