// Package client indexes documents into a collection of a server. It knows HTTP and the
// server's types, and nothing of files.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/server"
)

// KeyEnv is the environment variable with the key.
const KeyEnv = "NSFL_KEY"

// Collection is a collection of a server. It is safe for concurrent use once it exists.
type Collection struct {
	base, key  string // the server's address, and the key for it
	name, path string
	encoder    string // spec
	tokens     int    // passage length of the server
	missing    bool   // the first write creates the collection
}

// pace sets how often a busy server is asked again.
var pace = webclient.Pace{First: 200 * time.Millisecond, Most: 5 * time.Second, Patience: time.Minute, Retries: 6}

// New returns a collection of the server at an address, with the key in $NSFL_KEY. It does
// not check that the collection exists.
func New(address, name string) (*Collection, error) {
	u, err := webclient.Address(address, "http://127.0.0.1:7700")
	if err != nil {
		return nil, fmt.Errorf("the address of the server %w", err)
	}
	if u.User != nil {
		return nil, fmt.Errorf("the address of the server contains a user; remove it, and set the key in $%s", KeyEnv)
	}
	key, err := webclient.Key(KeyEnv)
	return &Collection{base: u.String(), key: key, name: name, path: "/v1/collections/" + url.PathEscape(name)}, err
}

// Find asks the server for the collection. If there is none, the first write creates it with
// the given encoder, or the server's default if that is empty.
func (c *Collection) Find(ctx context.Context, encoder string) error {
	found := &server.Collection{}
	err := c.call(ctx, http.MethodGet, c.path, nil, found)
	if status := (*webclient.StatusError)(nil); errors.As(err, &status) && status.Code == http.StatusNotFound && status.Kind != "" {
		c.encoder, c.missing = encoder, true
		return nil
	}
	if err == nil && encoder != "" && named.Word(encoder) != found.Encoder {
		return fmt.Errorf("%s was created with the encoder %s, not with %s; omit --encoder, or name another collection", c, found.Encoder, encoder)
	}
	c.encoder, c.tokens = found.Encoder, found.PassageTokens
	return err
}

// create creates the collection if it is missing.
func (c *Collection) create(ctx context.Context) error {
	if !c.missing {
		return nil
	}
	err := c.call(ctx, http.MethodPost, "/v1/collections", &server.NewCollection{Name: c.name, Encoder: c.encoder}, nil)
	c.missing = err != nil
	return err
}

// String returns the name of the collection and the address of the server.
func (c *Collection) String() string { return c.name + " at " + c.base }

// Exists reports whether the collection exists by now.
func (c *Collection) Exists() bool { return !c.missing }

// Lengths returns the lengths of passages for the server's encoder. Tokens of the built-in
// encoder are counted; those of others are estimated, with a margin.
func (c *Collection) Lengths(most int) (passage.Lengths, error) {
	if named.Word(c.encoder) != builtin.Word {
		return passage.Lengths{Max: cmp.Or(most, c.tokens*3/4)}.WithDefaults()
	}
	e, err := builtin.New()
	if err != nil {
		return passage.Lengths{}, err
	}
	return encoder.Lengths(e, most)
}

// Picture returns nil: a server does not encode pictures.
func (c *Collection) Picture() func(ctx context.Context, name string) ([]float32, error) { return nil }

// Close does nothing: requests do not depend on each other.
func (c *Collection) Close() error { return nil }

// call sends JSON, or nothing, and reads JSON, or nothing. All calls can be repeated.
func (c *Collection) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	return c.send(ctx, method, path, "application/json", body, func(content io.Reader) error {
		if out == nil {
			return nil
		}
		if err := json.NewDecoder(content).Decode(out); err != nil {
			return webclient.Lost("reading the answer of "+c.base, err)
		}
		return nil
	})
}

// send sends a body until an answer has been read to its end.
func (c *Collection) send(ctx context.Context, method, path, contentType string, body []byte, read func(io.Reader) error) error {
	return pace.Insist(ctx, nil, func() (bool, error) {
		request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
		if err != nil {
			return false, err
		}
		if body != nil {
			request.Header.Set("Content-Type", contentType)
		}
		if c.key != "" {
			request.Header.Set("Authorization", "Bearer "+c.key)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			return false, webclient.Lost("asking "+c.base, err)
		}
		defer response.Body.Close() //nolint:errcheck // it was only read
		if response.StatusCode >= 300 {
			return false, c.refusal(response)
		}
		return false, read(response.Body)
	})
}

// refusal returns the error for an answer, with advice.
func (c *Collection) refusal(response *http.Response) error {
	e := webclient.Refusal(response, func(text string) string {
		if c.key == "" {
			return text
		}
		return strings.ReplaceAll(text, c.key, "…")
	})
	switch e.Code {
	case http.StatusUnauthorized:
		e.Advice = "set a key of the role write in $" + KeyEnv + "; nsfl serve key creates one"
	case http.StatusForbidden:
		if e.Kind == "quota" {
			break
		}
		e.Advice = "set another key in $" + KeyEnv
	case http.StatusNotFound:
		if e.Kind == "" {
			e.Advice = "is it a server of nsfl?"
		}
	}
	return e
}
