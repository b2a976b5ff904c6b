package openai

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Config says which server is asked, and how. BaseURL and Model have to be set.
type Config struct {
	BaseURL    string // what comes before /embeddings, mostly ending in /v1; it may hold user:password@
	Model      string // as the server calls it
	Dimensions int    // ask for vectors of this many; 0: as many as the model has
	APIKeyEnv  string // the environment variable that holds the key; empty: none is sent
	Prefixes   encoder.Prefixes
	MaxBatch   int           // texts in one request; 0: 32
	Parallel   int           // requests at once, of all calls together; 0: 4
	Timeout    time.Duration // for one request, not counting its repetitions; 0: two minutes
	Retries    int           // repetitions of one request; 0: 4, negative: none
}

// server is a Config that was checked and completed.
type server struct {
	Config
	endpoint *url.URL // with the credentials of BaseURL
	place    string   // host and path, without them
	key      string
}

func (c Config) check() (server, error) {
	s := server{Config: c}
	if min(int64(c.Dimensions), int64(c.MaxBatch), int64(c.Parallel), int64(c.Timeout)) < 0 {
		return s, errors.New("setting up an encoder: neither dimensions nor the batch limit, parallel requests or the time-out can be negative")
	}
	if c.Dimensions > maxDimension {
		return s, fmt.Errorf("setting up an encoder: %d dimensions are more than the %d that are read", c.Dimensions, maxDimension)
	}
	if c.Model == "" {
		return s, errors.New("setting up an encoder: no model is named; give it as the server calls it")
	}
	s.MaxBatch = min(cmp.Or(s.MaxBatch, 32), 1<<16) // more than any server takes, and no sum overflows
	s.Parallel = cmp.Or(s.Parallel, 4)
	s.Timeout = cmp.Or(s.Timeout, 2*time.Minute)
	s.Retries = cmp.Or(s.Retries, 4)
	if err := s.locate(); err != nil {
		return s, fmt.Errorf("setting up an encoder: the base address %w", err)
	}
	if err := s.readKey(); err != nil {
		return s, fmt.Errorf("setting up an encoder: %w", err)
	}
	return s, nil
}

// locate reads the base address.
func (s *server) locate() error {
	base, err := webclient.Address(s.BaseURL, "http://localhost:8080/v1")
	if err != nil {
		return err
	}
	if base.User != nil && s.APIKeyEnv != "" {
		return fmt.Errorf("holds credentials, and %s a key; a request carries one of them only", s.APIKeyEnv)
	}
	base.Path = strings.TrimSuffix(base.Path, "/embeddings")
	s.endpoint = base.JoinPath("embeddings")
	s.place = base.Host + base.Path
	return nil
}

func (s *server) readKey() (err error) {
	if s.APIKeyEnv == "" {
		return nil
	}
	if s.key, err = webclient.Key(s.APIKeyEnv); err == nil && s.key == "" {
		err = fmt.Errorf("the environment variable %s is empty; set it to the key for %s", s.APIKeyEnv, s.place)
	}
	return err
}

// scrub takes what is secret out of what a server has said.
func (s *server) scrub(text string) string {
	if s.key != "" {
		text = strings.ReplaceAll(text, s.key, "[key]")
	}
	if password, _ := s.endpoint.User.Password(); password != "" {
		text = strings.ReplaceAll(text, password, "[password]")
	}
	return text
}
