// Package webclient is shared by the clients of HTTP servers: it parses addresses and
// keys, retries requests, and turns error responses into messages. It does not know which
// servers are called, or for what.
package webclient

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Address parses the address of a server. The host is converted to lower case and a
// trailing slash removed from the path. Errors do not repeat the address, which may
// contain a password.
func Address(text, example string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case text == "":
		return nil, fmt.Errorf("is empty; give one such as %s", example)
	case err != nil: // the error may quote it
		return nil, fmt.Errorf("cannot be read; give one such as %s", example)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("does not begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("has a part after ? or #; leave it out")
	}
	return &url.URL{Scheme: u.Scheme, User: u.User, Host: strings.ToLower(u.Host), Path: strings.TrimRight(u.Path, "/")}, nil
}

// Key returns the key or token in an environment variable, or "" if it is not set.
func Key(variable string) (string, error) {
	key := strings.TrimSpace(os.Getenv(variable))
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the environment variable %s contains characters that are not valid in a key", variable)
	}
	return key, nil
}

// Line returns a text on one line, truncated to at most most runes.
func Line(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Excerpt quotes the start of a response.
func Excerpt(content []byte, hide func(string) string) string {
	return fmt.Sprintf("%q", Line(hide(string(content[:min(len(content), 4096)])), 80))
}
