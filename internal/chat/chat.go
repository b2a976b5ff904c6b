// Package chat translates plain language into formulas with a language model, on any
// server that implements OpenAI's POST /v1/chat/completions. The model gets a description
// of the query language and the text, and must answer with a formula; an invalid one is
// returned once, with the error.
//
// Requests are sent only to addresses given on a command line or in the environment. The
// key is sent only to that server: redirects are not followed, and messages that repeat
// the key are redacted. The package knows neither collections nor results.
package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder/openai"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Environment variables.
const (
	WordEnv = "NSFL_LLM"     // the endpoint, as passed to Open
	keyEnv  = "NSFL_LLM_KEY" // the key for an endpoint given by address
)

// Help describes the endpoint for a flag.
const Help = "the chat endpoint that --nl llm asks: ollama:MODEL, openai:MODEL, vllm:MODEL, llama.cpp:MODEL or http://HOST/v1#MODEL; $" + WordEnv + " by default"

// Client talks to one model. It is safe for concurrent use.
type Client struct {
	endpoint   *url.URL // including credentials
	place      string   // host and path, without credentials
	model, key string
	timeout    time.Duration // for one question
	client     *http.Client
}

var _ nl.Chat = (*Client)(nil)

// Open returns a client for an endpoint: MODEL after openai:, ollama:, vllm: or
// llama.cpp:, or http://HOST/v1#MODEL, whose key, if needed, is in $NSFL_LLM_KEY. Errors
// wrap nl.ErrNoChat.
func Open(word string) (*Client, error) {
	c := &Client{timeout: 20 * time.Second, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if err := c.locate(word); err != nil {
		return nil, fmt.Errorf("%w: %w", nl.ErrNoChat, err)
	}
	return c, nil
}

func (c *Client) locate(word string) error {
	if word == "" {
		return errors.New("name one with --llm ollama:MODEL or --llm http://HOST/v1#MODEL, or in $" + WordEnv)
	}
	var base, variable string
	if kind, model, cut := strings.Cut(word, ":"); cut && !strings.HasPrefix(model, "//") {
		preset, err := openai.Preset(kind)
		if err != nil {
			return err
		}
		base, variable, c.model = preset.BaseURL, preset.APIKeyEnv, model
	} else {
		before, fragment, _ := strings.Cut(word, "#")
		model, err := url.PathUnescape(fragment)
		if err != nil {
			return errors.New("the part after # in the address is not valid")
		}
		base, c.model = before, model
		if os.Getenv(keyEnv) != "" {
			variable = keyEnv
		}
	}
	address, err := webclient.Address(base, "http://localhost:11434/v1#MODEL")
	if err != nil {
		return fmt.Errorf("the address %w", err)
	}
	if c.model == "" {
		return errors.New("no model given; write ollama:MODEL or http://HOST/v1#MODEL")
	}
	if variable != "" {
		if c.key, err = webclient.Key(variable); err == nil && c.key == "" {
			err = fmt.Errorf("the environment variable %s is empty; set it to the key for %s", variable, address.Host)
		}
	}
	if address.User != nil && c.key != "" {
		return fmt.Errorf("the address contains credentials and %s contains a key; use only one of them", variable)
	}
	address.Path = strings.TrimSuffix(address.Path, "/chat/completions")
	c.place, c.endpoint = address.Host+address.Path, address.JoinPath("chat", "completions")
	return err
}

// hide removes secrets from a server's message.
func (c *Client) hide(text string) string {
	password, _ := c.endpoint.User.Password()
	for _, secret := range []string{c.key, password} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}

// message is one message of a conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// maxAnswer limits the size of a response. A formula is short; models that reason aloud
// need more.
const maxAnswer = 256 << 10

// ask sends a conversation and returns the model's reply.
func (c *Client) ask(ctx context.Context, conversation []message) (string, error) {
	// Send only fields that every server accepts: some reject a temperature, some a
	// limit.
	body, err := json.Marshal(map[string]any{"model": c.model, "messages": conversation})
	if err != nil {
		return "", fmt.Errorf("writing the request: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	content, err := c.exchange(limited, body)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && limited.Err() != nil:
		return "", fmt.Errorf("no answer came within %s", c.timeout)
	case err != nil:
		return "", err
	}
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(content, &answer); err != nil || len(answer.Choices) == 0 {
		return "", fmt.Errorf("the answer contains no message; it starts with %s", webclient.Excerpt(content, c.hide))
	}
	return answer.Choices[0].Message.Content, nil
}

// exchange sends a request body and returns the response body.
func (c *Client) exchange(ctx context.Context, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("making the request: the address cannot be used")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.client.Do(r)
	if err != nil {
		return nil, webclient.Lost("no answer", err)
	}
	defer response.Body.Close() //nolint:errcheck // read as far as needed
	if response.StatusCode != http.StatusOK {
		return nil, webclient.Refusal(response, c.hide)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, webclient.Lost("the answer broke off", err)
	}
	if len(content) > maxAnswer {
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	return content, nil
}
