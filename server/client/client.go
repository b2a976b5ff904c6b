// Package client asks a server of nsfl for what the command needs to fill one of its
// collections. It knows HTTP and the server's types, and nothing of files.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/server"
)

// KeyEnv names the variable that holds the key.
const KeyEnv = "NSFL_KEY"

// Client asks one server. It is safe for concurrent use.
type Client struct {
	base string
	key  string
}

// pace is how patiently a server that has much to do is asked again.
var pace = webclient.Pace{First: 200 * time.Millisecond, Most: 5 * time.Second, Patience: time.Minute, Retries: 6}

// New is a client of the server at an address, with the key of the environment.
func New(address string) (*Client, error) {
	u, err := webclient.Address(address, "http://127.0.0.1:7700")
	if err != nil {
		return nil, fmt.Errorf("the address of the server %w", err)
	}
	if u.User != nil {
		return nil, fmt.Errorf("the address of the server has a user in it; leave it out, and give a key in $%s", KeyEnv)
	}
	key, err := webclient.Key(KeyEnv)
	return &Client{u.String(), key}, err
}

// Address is that of the server.
func (c *Client) Address() string { return c.base }

// Make makes a collection with the encoder of a word; empty: the server's default.
func (c *Client) Make(ctx context.Context, name, encoder string) error {
	return c.call(ctx, http.MethodPost, "/v1/collections", &server.NewCollection{Name: name, Encoder: encoder}, nil)
}

// Describe tells of a collection. It fails with engine.ErrNotCollection where there is
// none.
func (c *Client) Describe(ctx context.Context, name string) (*server.Collection, error) {
	out := &server.Collection{}
	err := c.call(ctx, http.MethodGet, pathOf(name), nil, out)
	if status := (*webclient.StatusError)(nil); errors.As(err, &status) && status.Code == http.StatusNotFound {
		return nil, fmt.Errorf("%w: %w", engine.ErrNotCollection, err)
	}
	return out, err
}

func pathOf(name string) string { return "/v1/collections/" + url.PathEscape(name) }

// call sends JSON, or nothing, and reads JSON, or nothing. All calls can be repeated.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
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
func (c *Client) send(ctx context.Context, method, path, contentType string, body []byte, read func(io.Reader) error) error {
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

// refusal says what to do about an answer.
func (c *Client) refusal(response *http.Response) error {
	e := webclient.Refusal(response, func(text string) string {
		if c.key == "" {
			return text
		}
		return strings.ReplaceAll(text, c.key, "…")
	})
	switch e.Code {
	case http.StatusUnauthorized:
		e.Advice = "give a key of the role write in $" + KeyEnv + "; nsfl serve key makes one"
	case http.StatusForbidden:
		if e.Kind == "quota" {
			break
		}
		e.Advice = "give another key in $" + KeyEnv
	case http.StatusNotFound:
		if e.Kind == "" {
			e.Advice = "is it a server of nsfl?"
		}
	}
	return e
}
