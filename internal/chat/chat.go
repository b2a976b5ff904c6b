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
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	web     *webclient.Endpoint
	model   string
	timeout time.Duration // for one question
}

var _ nl.Chat = (*Client)(nil)

// Open returns a client for an endpoint: MODEL after openai:, ollama:, vllm: or
// llama.cpp:, or http://HOST/v1#MODEL, whose key, if needed, is in $NSFL_LLM_KEY. Errors
// wrap nl.ErrNoChat.
func Open(word string) (*Client, error) {
	c := &Client{timeout: 20 * time.Second}
	if err := c.locate(word); err != nil {
		return nil, fmt.Errorf("%w: %w", nl.ErrNoChat, err)
	}
	return c, nil
}

func (c *Client) locate(word string) (err error) {
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
	if c.model == "" {
		return errors.New("no model given; write ollama:MODEL or http://HOST/v1#MODEL")
	}
	c.web, err = webclient.NewEndpoint(base, "http://localhost:11434/v1#MODEL", "/chat/completions", variable)
	return err
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
	content, err := c.web.Post(limited, body, maxAnswer)
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
		return "", fmt.Errorf("the answer contains no message; it starts with %s", webclient.Excerpt(content, c.web.Hide))
	}
	return answer.Choices[0].Message.Content, nil
}
