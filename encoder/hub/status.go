package hub

import (
	"net/http"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// StatusError says that a server refused a request: 401 and 403 for what is gated
// or private, 404 for a repository, revision or file that is not there, 429 for too
// many requests. The server is not always the hub, which redirects. Pull's errors
// wrap it.
type StatusError = webclient.StatusError

// refusal makes an error of an answer whose status is none that was asked for.
func (h *hub) refusal(a *answer) error {
	e := webclient.Refusal(a.Response, h.scrub)
	if message := a.Header.Get("X-Error-Message"); message != "" {
		e.Message = webclient.Line(h.scrub(message), 300)
	}
	own := h.own(a.Request.URL)
	if e.Code == http.StatusForbidden && !own {
		e.Passes = true // a signed address that has expired: the hub gives a new one
	}
	e.Advice = h.advice(e.Code, own, a.Header.Get("X-Error-Code"))
	return e
}

// advice says what can be done about a status. The hub answers 401 for what does
// not exist, too, lest names of private repositories can be guessed.
func (h *hub) advice(code int, own bool, kind string) string {
	const licence = "accept its licence on the model's page and "
	token := "set " + tokenEnv + " to a token of your account"
	if h.token != "" {
		token = "check that " + tokenEnv + " holds a valid token of the account that did so"
	}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case !own:
			return "the hub redirects there; see whether a firewall stands between"
		case kind == "GatedRepo":
			return "the model is gated: " + licence + token
		}
		return "check the name; if the model is private or gated, " + licence + token
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
