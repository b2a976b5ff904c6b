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

// Config is the address of a hub and how persistently to ask it.
type Config struct {
	BaseURL string        // default: $HF_ENDPOINT, or https://huggingface.co
	Timeout time.Duration // longest wait for a byte; default: 30 seconds
	Retries int           // consecutive retries without progress; 0 means 5, negative means none
}

// hub is a validated Config with its defaults filled in.
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
		return nil, errors.New("the timeout must not be negative")
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
	// A copy of the default transport, which honors the environment's proxy. Closing it only
	// ends the connections of this pull.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	h.client = &http.Client{Transport: transport, CheckRedirect: h.redirect}
	return h, nil
}

// close ends idle connections and their goroutines.
func (h *hub) close() { h.client.CloseIdleConnections() }

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
