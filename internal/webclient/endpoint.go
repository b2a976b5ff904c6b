package webclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Endpoint is an address that takes requests in JSON and answers in JSON.
type Endpoint struct {
	URL    *url.URL // with credentials
	Place  string   // host and path of the base address, without credentials
	Key    string   // sent with every request unless it is empty
	Client *http.Client
}

// NewEndpoint returns the endpoint with a path below a base address, which may already end in
// that path. Unless variable is empty, it is the environment variable with the key.
func NewEndpoint(base, example, path, variable string) (*Endpoint, error) {
	u, err := Address(base, example)
	if err == nil && u.User != nil && variable != "" {
		err = fmt.Errorf("has credentials, and %s has a key; use only one of them", variable)
	}
	if err != nil {
		return nil, fmt.Errorf("the base address %w", err)
	}
	u.Path = strings.TrimSuffix(u.Path, path)
	e := &Endpoint{URL: u.JoinPath(path), Place: u.Host + u.Path, Client: &http.Client{
		// Following a redirect could change the method, or send the request to another server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if variable == "" {
		return e, nil
	}
	if e.Key, err = Key(variable); err == nil && e.Key == "" {
		err = fmt.Errorf("the environment variable %s is empty; set it to the key for %s", variable, e.Place)
	}
	return e, err
}

// Hide removes secrets from text that the server has sent.
func (e *Endpoint) Hide(text string) string {
	password, _ := e.URL.User.Password()
	for _, secret := range []string{e.Key, password} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}

// Post sends a body and returns the response body, of at most the given number of bytes. If the
// status is not 200 the error is a *StatusError.
func (e *Endpoint) Post(ctx context.Context, body []byte, most int64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("making the request: the address is not valid")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if e.Key != "" {
		r.Header.Set("Authorization", "Bearer "+e.Key)
	}
	const lost = "no answer from the server"
	response, err := e.Client.Do(r)
	if err != nil {
		return nil, Lost(lost, err)
	}
	defer response.Body.Close() //nolint:errcheck // the body was read as far as needed
	if response.StatusCode != http.StatusOK {
		status := Refusal(response, e.Hide)
		if status.Code/100 == 3 {
			status.Advice = "redirects are not followed: check the base address"
			if to, err := response.Location(); err == nil && to.Host != "" {
				status.Advice = fmt.Sprintf("redirects are not followed: change the base address if %s is the right one", to.Scheme+"://"+to.Host+to.Path)
			}
		}
		return nil, status
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, Lost(lost, fmt.Errorf("it ended after %d bytes: %w", len(content), err))
	}
	if int64(len(content)) > most {
		return nil, fmt.Errorf("reading the answer, which begins with %s: it is longer than %d bytes", Excerpt(content, e.Hide), most)
	}
	return content, nil
}
