package openai

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

// request is the body of a request.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// ask sends texts once. When the context is done, the error is unspecified.
func (e *Encoder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	// float is the only format that all servers support.
	body, err := json.Marshal(request{e.Model, texts, "float", e.Dimensions})
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	var content []byte
	err = e.slots.Do(ctx, func() (err error) {
		limited, cancel := context.WithTimeout(ctx, e.Timeout)
		defer cancel()
		content, err = e.exchange(limited, body, sizeLimit(len(texts), e.dim))
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			err = lost(fmt.Errorf("none within %s; raise the timeout or lower the batch size", e.Timeout))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	vectors, err := decode(content, len(texts), e.dim)
	if err != nil {
		return nil, fmt.Errorf("reading the answer, which begins with %s: %w", webclient.Excerpt(content, e.scrub), err)
	}
	return vectors, nil
}

func lost(err error) error { return webclient.Lost("no answer from the server", err) }

// exchange sends a body and returns the response body.
func (e *Encoder) exchange(ctx context.Context, body []byte, limit int64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("making the request: the address is not valid")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if e.key != "" {
		r.Header.Set("Authorization", "Bearer "+e.key)
	}
	response, err := e.client.Do(r)
	if err != nil {
		return nil, lost(err)
	}
	defer response.Body.Close() //nolint:errcheck // the body was read as far as needed
	if response.StatusCode != http.StatusOK {
		return nil, e.refusal(response)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, lost(fmt.Errorf("it ended after %d bytes: %w", len(content), err))
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("reading the answer, which begins with %s: it is longer than %d bytes, too long for these vectors", webclient.Excerpt(content, e.scrub), limit)
	}
	return content, nil
}
