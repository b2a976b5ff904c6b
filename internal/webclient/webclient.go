// Package webclient has what the clients of HTTP servers share: reading an address
// and a key, asking again with patience, and saying in words what a server has
// answered. Whom they ask, and for what, it does not know.
package webclient

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Address reads the address of a server. The host comes out in small letters, the
// path without a slash at its end. Errors do not repeat the address, which may hold
// a password.
func Address(text, example string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case text == "":
		return nil, fmt.Errorf("is empty; give one such as %s", example)
	case err != nil: // which may quote it
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

// Key is the key or token that an environment variable holds, empty if it is not
// set.
func Key(variable string) (string, error) {
	key := strings.TrimSpace(os.Getenv(variable))
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the environment variable %s holds characters that no key has", variable)
	}
	return key, nil
}

// Line is a text on one line and of at most so many runes.
func Line(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Excerpt quotes the beginning of an answer.
func Excerpt(content []byte, hide func(string) string) string {
	return fmt.Sprintf("%q", Line(hide(string(content[:min(len(content), 4096)])), 80))
}
