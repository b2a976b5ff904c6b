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
	"errors"
	"fmt"
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
