package hub

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	defaultHub  = "https://huggingface.co"
	endpointEnv = "HF_ENDPOINT"
	tokenEnv    = "HF_TOKEN"
)

// Config says which hub is asked, and with how much patience.
type Config struct {
	BaseURL string        // of the hub; empty: the environment's HF_ENDPOINT, or https://huggingface.co
	Timeout time.Duration // without a byte, after which a connection counts as broken; 0: 30 seconds
	Retries int           // tries in a row, beyond the first, that may bring nothing new; 0: 5, negative: none
}

// hub is a Config that was checked and completed.
type hub struct {
	base    *url.URL
	token   string
	timeout time.Duration
	retries int
	pace    pace
	client  *http.Client
}

func (c Config) open() (*hub, error) {
	h := &hub{timeout: c.Timeout, retries: c.Retries, pace: patient}
	if c.Timeout < 0 {
		return nil, errors.New("the time-out cannot be negative")
	}
	if h.timeout == 0 {
		h.timeout = 30 * time.Second
	}
	if h.retries == 0 {
		h.retries = 5
	}
	if err := h.locate(c.BaseURL); err != nil {
		return nil, fmt.Errorf("the address of the hub %w", err)
	}
	h.token = strings.TrimSpace(os.Getenv(tokenEnv))
	if strings.ContainsFunc(h.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("the environment variable %s holds characters that no token has", tokenEnv)
	}
	// A copy, so that close ends the connections of this pull and no others. It
	// goes through the environment's proxy.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	h.client = &http.Client{Transport: transport, CheckRedirect: h.redirect}
	return h, nil
}

// close ends idle connections, and with them their goroutines.
func (h *hub) close() { h.client.CloseIdleConnections() }

// locate reads the hub's address. Its errors do not repeat it: it may hold a
// password.
func (h *hub) locate(address string) error {
	if address == "" {
		address = os.Getenv(endpointEnv)
	}
	if address == "" {
		address = defaultHub
	}
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil:
		return fmt.Errorf("cannot be read; give one such as %s", defaultHub)
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("does not begin with http:// or https://")
	case u.Hostname() == "":
		return errors.New("names no host")
	case u.User != nil:
		return fmt.Errorf("holds credentials; set %s to a token instead", tokenEnv)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("has a part after ? or #; leave it out")
	}
	h.base = &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: strings.TrimRight(u.Path, "/")}
	return nil
}

// redirect decides on a redirect. The standard library would take the token along
// to another port and to subdomains.
func (h *hub) redirect(r *http.Request, via []*http.Request) error {
	if !h.own(r.URL) {
		if r.Method == http.MethodHead {
			// What a HEAD asks for is in the hub's own answer, and addresses
			// that are signed for GET refuse it.
			return http.ErrUseLastResponse
		}
		r.Header.Del("Authorization")
	}
	if len(via) >= 10 {
		return finalError("the hub redirects 10 times; check its address")
	}
	if last := via[len(via)-1].URL; last.Scheme == "https" && r.URL.Scheme != "https" {
		return finalError("the hub redirects from https to " + r.URL.Scheme + ", which is not followed; check its address")
	}
	return nil
}

// own tells whether an address is on the hub itself.
func (h *hub) own(u *url.URL) bool {
	return u.Scheme == h.base.Scheme && strings.EqualFold(u.Host, h.base.Host)
}

// scrub takes the token out of what a server has said.
func (h *hub) scrub(text string) string {
	if h.token == "" {
		return text
	}
	return strings.ReplaceAll(text, h.token, "[token]")
}
