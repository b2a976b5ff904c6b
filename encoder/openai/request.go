package openai

import (
	"context"
	"encoding/json"
	"fmt"

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
		content, err = e.web.Post(limited, body, sizeLimit(len(texts), e.dim))
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return webclient.Lost("no answer from the server", fmt.Errorf("none within %s; raise the timeout or lower the batch size", e.Timeout))
		}
		return e.advise(err)
	})
	if err != nil {
		return nil, err
	}
	vectors, err := decode(content, len(texts), e.dim)
	if err != nil {
		return nil, fmt.Errorf("reading the answer, which begins with %s: %w", webclient.Excerpt(content, e.web.Hide), err)
	}
	return vectors, nil
}
