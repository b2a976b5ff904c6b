package hub

import (
	"cmp"
	"errors"
	"fmt"
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
	pace    webclient.Pace
	client  *http.Client
}

func (c Config) open() (*hub, error) {
	h := &hub{timeout: cmp.Or(c.Timeout, 30*time.Second)}
	h.pace = webclient.Pace{First: 500 * time.Millisecond, Most: 30 * time.Second, Patience: 5 * time.Minute, Retries: cmp.Or(c.Retries, 5)}
	if c.Timeout < 0 {
		return nil, errors.New("the time-out cannot be negative")
	}
	var err error
	h.base, err = webclient.Address(cmp.Or(c.BaseURL, os.Getenv(endpointEnv), defaultHub), defaultHub)
	if err == nil && h.base.User != nil {
		err = fmt.Errorf("holds credentials; set %s to a token instead", tokenEnv)
	}
	if err != nil {
		return nil, fmt.Errorf("the address of the hub %w", err)
	}
	if h.token, err = webclient.Key(tokenEnv); err != nil {
		return nil, err
	}
	// A copy, so that close ends the connections of this pull and no others. It
	// goes through the environment's proxy.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	h.client = &http.Client{Transport: transport, CheckRedirect: h.redirect}
	return h, nil
}

// close ends idle connections, and with them their goroutines.
func (h *hub) close() { h.client.CloseIdleConnections() }

// redirect decides on a redirect. The standard library would take the token along
// to another port and to subdomains.
func (h *hub) redirect(r *http.Request, via []*http.Request) error {
	if !h.own(r.URL) {
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
