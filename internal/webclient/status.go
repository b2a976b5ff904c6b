package webclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// StatusError reports that a server rejected a request.
type StatusError struct {
	Code    int
	Host    string        // of the server
	Message string        // the server's message, on one line
	Kind    string        // the server's error code, if any
	Advice  string        // how to fix it
	After   time.Duration // delay that the server asks for
	Passes  bool          // the error may be temporary
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answers %d", e.Host, e.Code)
	if name := http.StatusText(e.Code); name != "" {
		text += " " + name
	}
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// Refusal returns an error for a response with an unexpected status. hide removes
// secrets.
func Refusal(response *http.Response, hide func(string) string) *StatusError {
	const most = 64 << 10 // more is useless; unread data only costs the connection
	content, _ := io.ReadAll(io.LimitReader(response.Body, most))
	message, kind := complaint(content)
	if message == "" && len(bytes.TrimSpace(content)) > 0 {
		message = Excerpt(content, hide)
	}
	e := &StatusError{
		Code:    response.StatusCode,
		Host:    response.Request.URL.Host,
		Message: Line(hide(message), 300),
		Kind:    kind,
		After:   retry.After(response.Header.Get("Retry-After"), time.Now()),
		Passes:  response.StatusCode >= 500,
	}
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusTooEarly:
		e.Passes = true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		e.Passes = false
	}
	return e
}

// complaint extracts the message and the error code from the body of an error response.
// Servers differ: {"error":{"message","code"}}, {"error":"..."}, {"message","type"},
// {"error":"...","message":"..."}, {"detail":"..."}, {"error":{"reason","type"}}.
func complaint(body []byte) (message, kind string) {
	type words struct {
		Message string `json:"message"`
		Reason  string `json:"reason"`
		Code    any    `json:"code"` // a code, or the status again
		Type    any    `json:"type"`
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
	var name string
	if json.Unmarshal(outer.Error, &name) != nil {
		_ = json.Unmarshal(outer.Error, &found) // neither a string nor an object means no message
	}
	detail, _ := outer.Detail.(string)
	for _, text := range []string{name, found.Message, found.Reason, detail} {
		if text != "" && message != "" {
			text = ": " + text
		}
		message += text
	}
	if kind, _ = found.Code.(string); kind == "" && found.Reason != "" {
		kind, _ = found.Type.(string)
	}
	return message, kind
}
