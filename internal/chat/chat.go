// Package chat reads plain language by a model at an address: any server that answers
// POST /v1/chat/completions as OpenAI's does. It is told the query language and the text,
// and has to answer with a formula; one that is none is sent back once, with the mistake.
//
// Nothing is sent to an address that nobody has named on a command line or in the
// environment. The key is shown to that server only: redirects are not followed, and
// messages that repeat it come out without it. Collections and results it does not know.
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
	WordEnv = "NSFL_LLM"     // the endpoint, as Open reads it
	keyEnv  = "NSFL_LLM_KEY" // the key for one that is given by address
)

// Help is what a flag says of the word.
const Help = "the chat endpoint that --nl llm asks: ollama:MODEL, openai:MODEL, vllm:MODEL, llama.cpp:MODEL or http://HOST/v1#MODEL; $" + WordEnv + " by default"

// Client asks one model. It is safe for concurrent use.
type Client struct {
	endpoint   *url.URL // with the credentials of the address
	place      string   // host and path, without them
	model, key string
	timeout    time.Duration // for one question
	client     *http.Client
}

var _ nl.Chat = (*Client)(nil)

// Open finds the endpoint of a word: MODEL after openai:, ollama:, vllm: or llama.cpp:, or
// http://HOST/v1#MODEL, whose key is in $NSFL_LLM_KEY, if it needs one. An error is an
// nl.ErrNoChat.
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
			return errors.New("what stands behind # in the address cannot be read")
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
		return errors.New("no model is named; write ollama:MODEL or http://HOST/v1#MODEL")
	}
	if variable != "" {
		if c.key, err = webclient.Key(variable); err == nil && c.key == "" {
			err = fmt.Errorf("the environment variable %s is empty; set it to the key for %s", variable, address.Host)
		}
	}
	if address.User != nil && c.key != "" {
		return fmt.Errorf("the address holds credentials, and %s a key; a request carries one of them only", variable)
	}
	address.Path = strings.TrimSuffix(address.Path, "/chat/completions")
	c.place, c.endpoint = address.Host+address.Path, address.JoinPath("chat", "completions")
	return err
}

// Shown is a word without what is secret in it.
func Shown(word string) string {
	u, err := url.Parse(word)
	if err != nil {
		return "…"
	}
	return u.Redacted()
}

// hide takes what is secret out of what a server has said.
func (c *Client) hide(text string) string {
	password, _ := c.endpoint.User.Password()
	for _, secret := range []string{c.key, password} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}
