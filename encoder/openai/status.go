package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// StatusError reports that the server answered with a status other than 200: 401 and 403
// for the key, 404 for the path or the model, 413 for too long a text, 429 for too many
// requests. Encode's errors wrap it.
type StatusError = webclient.StatusError

// refusal returns the error for a response whose status is not 200.
func (e *Encoder) refusal(response *http.Response) error {
	status := webclient.Refusal(response, e.scrub)
	status.Advice = e.advice(response)
	if status.Kind == "insufficient_quota" {
		status.Passes = false // waiting does not restore the quota
	}
	return status
}

// tooLarge reports whether fewer or shorter texts might be accepted.
func tooLarge(err error) bool {
	var status *StatusError
	return errors.As(err, &status) &&
		(status.Code == http.StatusRequestEntityTooLarge || status.Kind == "max_tokens_per_request")
}

// advice suggests what to do about a status.
func (e *Encoder) advice(response *http.Response) string {
	switch code := response.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		switch {
		case e.key != "":
			return "check the key in the environment variable " + e.APIKeyEnv
		case e.endpoint.User != nil:
			return "check the user and the password in the base address"
		}
		return "it requires a key: set the environment variable that holds it"
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		return fmt.Sprintf("check that %s is the address before /embeddings, usually ending in /v1, and that the server has the model %q", e.place, e.Model)
	case code == http.StatusTooManyRequests:
		return "send less at once, or try later"
	case code >= 300 && code < 400:
		if to, err := url.Parse(response.Header.Get("Location")); err == nil && to.Host != "" {
			return fmt.Sprintf("redirects are not followed: change the base address if %s is the right one", to.Scheme+"://"+to.Host+to.Path)
		}
		return "redirects are not followed: check the base address"
	}
	return ""
}
