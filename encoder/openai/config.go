package openai

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Config describes a server. BaseURL and Model are required.
type Config struct {
	BaseURL    string // the URL before /embeddings, usually ending in /v1; may contain user:password@
	Model      string // the server's name for the model
	Dimensions int    // dimensions to request; default: the model's own
	APIKeyEnv  string // environment variable with the API key; empty to send none
	Prefixes   encoder.Prefixes
	MaxBatch   int           // texts per request; default: 32
	Parallel   int           // concurrent requests, over all calls; default: 4
	Timeout    time.Duration // for one attempt of a request; default: two minutes
	Retries    int           // retries of a request; 0 means 4, negative means none
}

// server is a validated Config with its defaults filled in.
type server struct {
	Config
	web *webclient.Endpoint
}

func (c Config) check() (server, error) {
	s := server{Config: c}
	if min(int64(c.Dimensions), int64(c.MaxBatch), int64(c.Parallel), int64(c.Timeout)) < 0 {
		return s, errors.New("setting up an encoder: dimensions, batch size, parallel requests and timeout must not be negative")
	}
	if c.Dimensions > maxDimension {
		return s, fmt.Errorf("setting up an encoder: %d dimensions are more than the supported %d", c.Dimensions, maxDimension)
	}
	if c.Model == "" {
		return s, errors.New("setting up an encoder: no model given; use the server's name for it")
	}
	s.MaxBatch = min(cmp.Or(s.MaxBatch, 32), 1<<16) // more than any server accepts, and small enough not to overflow
	s.Parallel = cmp.Or(s.Parallel, 4)
	s.Timeout = cmp.Or(s.Timeout, 2*time.Minute)
	s.Retries = cmp.Or(s.Retries, 4)
	var err error
	if s.web, err = webclient.NewEndpoint(s.BaseURL, "http://localhost:8080/v1", "/embeddings", s.APIKeyEnv); err != nil {
		return s, fmt.Errorf("setting up an encoder: %w", err)
	}
	return s, nil
}
