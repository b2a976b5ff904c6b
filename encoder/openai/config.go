package openai

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
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
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"dimensions", int64(c.Dimensions)}, {"the batch limit", int64(c.MaxBatch)},
		{"the number of parallel requests", int64(c.Parallel)}, {"the time-out", int64(c.Timeout)},
	} {
		if n.value < 0 {
			return s, fmt.Errorf("setting up an encoder: %s cannot be negative", n.name)
		}
	}
	if c.Dimensions > maxDimension {
		return s, fmt.Errorf("setting up an encoder: %d dimensions are more than the %d that are read", c.Dimensions, maxDimension)
	}
	if c.Model == "" {
		return s, errors.New("setting up an encoder: no model is named; give it as the server calls it")
	}
	if s.MaxBatch == 0 {
		s.MaxBatch = 32
	}
	s.MaxBatch = min(s.MaxBatch, 1<<16) // more than any server takes, and no sum overflows
	if s.Parallel == 0 {
		s.Parallel = 4
	}
	if s.Timeout == 0 {
		s.Timeout = 2 * time.Minute
	}
	if s.Retries == 0 {
		s.Retries = 4
	}
	if err := s.locate(); err != nil {
		return s, fmt.Errorf("setting up an encoder: the base address %w", err)
	}
	if err := s.readKey(); err != nil {
		return s, fmt.Errorf("setting up an encoder: %w", err)
	}
	return s, nil
}

// locate reads the base address. Its errors do not repeat it: it may hold a
// password.
func (s *server) locate() error {
	if s.BaseURL == "" {
		return errors.New("is empty; give one such as http://localhost:8080/v1")
	}
	u, err := url.Parse(strings.TrimSpace(s.BaseURL))
	switch {
	case err != nil:
		// The reason, too, may quote it.
		return errors.New("cannot be read; give one such as http://localhost:8080/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("does not begin with http:// or https://")
	case u.Hostname() == "":
		return errors.New("names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("has a part after ? or #; leave it out")
	case u.User != nil && s.APIKeyEnv != "":
		return fmt.Errorf("holds credentials, and %s a key; a request carries one of them only", s.APIKeyEnv)
	}
	base := *u
	base.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/embeddings")
	base.RawPath = ""
	base.Host = strings.ToLower(base.Host)
	s.endpoint = base.JoinPath("embeddings")
	s.place = base.Host + base.Path
	return nil
}

func (s *server) readKey() error {
	if s.APIKeyEnv == "" {
		return nil
	}
	s.key = strings.TrimSpace(os.Getenv(s.APIKeyEnv))
	if s.key == "" {
		return fmt.Errorf("the environment variable %s is empty; set it to the key for %s", s.APIKeyEnv, s.place)
	}
	if strings.ContainsFunc(s.key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("the environment variable %s holds characters that no key has; set it to the key for %s", s.APIKeyEnv, s.place)
	}
	return nil
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
