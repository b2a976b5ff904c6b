package openai

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// StatusError reports that the server answered with a status other than 200: 401 and 403
// for the key, 404 for the path or the model, 413 for too long a text, 429 for too many
// requests. Encode's errors wrap it.
type StatusError = webclient.StatusError

// advise adds what to do about a status to the error of a request.
func (e *Encoder) advise(err error) error {
	var status *StatusError
	if !errors.As(err, &status) {
		return err
	}
	if status.Kind == "insufficient_quota" {
		status.Passes = false // waiting does not restore the quota
	}
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		switch {
		case e.web.Key != "":
			status.Advice = "check the key in the environment variable " + e.APIKeyEnv
		case e.web.URL.User != nil:
			status.Advice = "check the user and the password in the base address"
		default:
			status.Advice = "it requires a key: set the environment variable that holds it"
		}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		status.Advice = fmt.Sprintf("check that %s is the address before /embeddings, usually ending in /v1, and that the server has the model %q", e.web.Place, e.Model)
	case http.StatusTooManyRequests:
		status.Advice = "send less at once, or try later"
	}
	return err
}

// tooLarge reports whether fewer or shorter texts might be accepted.
func tooLarge(err error) bool {
	var status *StatusError
	return errors.As(err, &status) &&
		(status.Code == http.StatusRequestEntityTooLarge || status.Kind == "max_tokens_per_request")
}
