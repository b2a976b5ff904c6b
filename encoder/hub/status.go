package hub

import (
	"net/http"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// StatusError reports that a server refused a request: 401 and 403 for gated or private
// models, 404 for a missing repository, revision or file, 429 for too many requests. The
// server may be one the hub redirects to. Pull's errors wrap it.
type StatusError = webclient.StatusError

// refusal returns the error for a response with an unexpected status.
func (h *hub) refusal(a *answer) error {
	e := webclient.Refusal(a.Response, h.scrub)
	if message := a.Header.Get("X-Error-Message"); message != "" {
		e.Message = webclient.Line(h.scrub(message), 300)
	}
	isHub := h.isHub(a.Request.URL)
	if e.Code == http.StatusForbidden && !isHub {
		e.Passes = true // a signed address has expired; the hub issues a new one
	}
	e.Advice = h.advice(e.Code, isHub, a.Header.Get("X-Error-Code"))
	return e
}

// advice suggests what to do about a status. The hub also answers 401 for models that do
// not exist, so that the names of private repositories cannot be guessed.
func (h *hub) advice(code int, isHub bool, kind string) string {
	const licence = "accept its licence on the model's page and "
	token := "set " + tokenEnv + " to a token of your account"
	if h.token != "" {
		token = "check that " + tokenEnv + " holds a valid token of the account that did so"
	}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case !isHub:
			return "the hub redirects to this server; check whether a firewall blocks it"
		case kind == "GatedRepo":
			return "the model is gated: " + licence + token
		}
		return "check the name; if the model is private or gated, " + licence + token
	case http.StatusNotFound:
		switch kind {
		case "RevisionNotFound":
			return "the repository exists, but not the revision"
		case "EntryNotFound":
			return "the repository exists, but not the file"
		}
		return "check the names of the repository and the revision"
	case http.StatusProxyAuthRequired:
		return "give the proxy's user and password in HTTPS_PROXY"
	case http.StatusTooManyRequests:
		return "try later, or set " + tokenEnv + " to a token, which allows more requests"
	}
	return ""
}
