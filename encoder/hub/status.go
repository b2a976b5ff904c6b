package hub

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// StatusError says that a server refused a request. Pull's errors wrap it.
type StatusError struct {
	Code    int    // 401 and 403: gated or private; 404: no such repository, revision or file; 429: too many requests
	Host    string // the server's; not always the hub's, which redirects
	Message string // what the server says about it, on one line

	advice string
	own    bool          // the server is the hub
	after  time.Duration // what it wants to be waited
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answers %d", e.Host, e.Code)
	if name := http.StatusText(e.Code); name != "" {
		text += " " + name
	}
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	if e.advice != "" {
		text += "; " + e.advice
	}
	return text
}

// refusal makes an error of an answer whose status is none that was asked for.
func (h *hub) refusal(a *answer) error {
	address := a.Request.URL
	e := &StatusError{
		Code:    a.StatusCode,
		Host:    address.Host,
		Message: a.Header.Get("X-Error-Message"),
		own:     h.own(address),
		after:   retry.After(a.Header.Get("Retry-After"), time.Now()),
	}
	if e.Message == "" {
		var body struct {
			Error string `json:"error"`
		}
		content, _ := io.ReadAll(io.LimitReader(a, 64<<10))
		if json.Unmarshal(content, &body) == nil { // otherwise a page for a browser
			e.Message = body.Error
		}
	}
	e.Message = line(h.scrub(e.Message), 300)
	e.advice = h.advice(e, a.Header.Get("X-Error-Code"))
	return e
}

// advice says what can be done about a status. The hub answers 401 for what does
// not exist, too, lest names of private repositories can be guessed.
func (h *hub) advice(e *StatusError, kind string) string {
	switch e.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case !e.own:
			return "the hub redirects there; see whether a firewall stands between"
		case kind == "GatedRepo" && h.token != "":
			return "the model is gated: accept its licence on the model's page, with the account whose token " + tokenEnv + " holds"
		case kind == "GatedRepo":
			return "the model is gated: accept its licence on the model's page and set " + tokenEnv + " to a token of your account"
		case h.token != "":
			return "check the name; if the model is private or gated, accept its licence on the model's page and check that " + tokenEnv + " holds a valid token of an account that may read it"
		}
		return "check the name; if the model is private or gated, accept its licence on the model's page and set " + tokenEnv + " to a token of your account"
	case http.StatusNotFound:
		switch kind {
		case "RevisionNotFound":
			return "the repository is there, the revision is not"
		case "EntryNotFound":
			return "the repository is there, the file is not"
		}
		return "check the names of the repository and the revision"
	case http.StatusProxyAuthRequired:
		return "give the proxy's user and password in HTTPS_PROXY"
	case http.StatusTooManyRequests:
		return "try later, or set " + tokenEnv + " to a token, which allows more requests"
	}
	return ""
}
