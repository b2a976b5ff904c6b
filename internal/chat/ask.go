package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

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
