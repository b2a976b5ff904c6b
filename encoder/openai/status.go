package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// StatusError says that the server answered something else than 200. Encode's
// errors wrap it.
type StatusError struct {
	Code    int    // 401 and 403: the key; 404: the path or the model; 413: too long a text; 429: too many requests
	Message string // what the server says about it, on one line

	kind   string // the server's own code for it
	advice string
	after  time.Duration // what the server wants to be waited
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answers %d", e.Code)
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

// tooLarge tells whether fewer or shorter texts might be accepted.
func tooLarge(err error) bool {
	var status *StatusError
	return errors.As(err, &status) &&
		(status.Code == http.StatusRequestEntityTooLarge || status.kind == "max_tokens_per_request")
}

// advice says what can be done about a status.
func (e *Encoder) advice(response *http.Response) string {
	switch code := response.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		switch {
		case e.key != "":
			return "check the key in the environment variable " + e.APIKeyEnv
		case e.endpoint.User != nil:
			return "check the user and the password in the base address"
		}
		return "it wants a key: name the environment variable that holds it"
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		return fmt.Sprintf("check that %s is what comes before /embeddings, mostly ending in /v1, and that the server has the model %q", e.place, e.Model)
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

// complaint finds the message in the body of a refusal, and the server's code for
// it. Servers agree on neither: {"error":{"message","code"}}, {"error":"..."},
// {"message","type"}, {"detail":"..."}.
func complaint(body []byte) (message, kind string) {
	type words struct {
		Message string `json:"message"`
		Code    any    `json:"code"` // a word, or the status again
	}
	var outer struct {
		words
		Error  json.RawMessage `json:"error"`
		Detail any             `json:"detail"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return "", ""
	}
	found := outer.words
	if json.Unmarshal(outer.Error, &found.Message) != nil {
		_ = json.Unmarshal(outer.Error, &found) // neither a string nor an object: there is no message
	}
	if detail, ok := outer.Detail.(string); ok && found.Message == "" {
		found.Message = detail
	}
	kind, _ = found.Code.(string)
	return found.Message, kind
}
