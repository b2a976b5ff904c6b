package openai

import (
	"strings"
	"testing"
	"time"
)

func TestBaseURL(t *testing.T) {
	for base, want := range map[string][2]string{
		"http://localhost:8080/v1":            {"http://localhost:8080/v1/embeddings", "localhost:8080/v1"},
		"http://localhost:8080/v1/":           {"http://localhost:8080/v1/embeddings", "localhost:8080/v1"},
		"http://localhost:8080":               {"http://localhost:8080/embeddings", "localhost:8080"},
		"https://API.example.com/a/v1":        {"https://api.example.com/a/v1/embeddings", "api.example.com/a/v1"},
		" http://h/v1/embeddings ":            {"http://h/v1/embeddings", "h/v1"},
		"https://user:secret@example.com/v1":  {"https://user:secret@example.com/v1/embeddings", "example.com/v1"},
		"http://[::1]:80/v1/some%20where//":   {"http://[::1]:80/v1/some%20where/embeddings", "[::1]:80/v1/some where"},
		"":                                    {"", "is empty"},
		"localhost:8080/v1":                   {"", "does not begin with http://"},
		"file:///v1":                          {"", "does not begin with http://"},
		"http:///v1":                          {"", "names no host"},
		"http://user:secret@h:port/v1":        {"", "cannot be read"},
		"http://user:secret@h/v1?version=1":   {"", "has a part after ? or #"},
		"http://user:secret@h/v1#embeddings":  {"", "has a part after ? or #"},
		"http://user:secret@ho st/v1":         {"", "cannot be read"},
		"http://user:secret@h/%zz/v1":         {"", "cannot be read"},
		"http://user:secret@%h/v1":            {"", "cannot be read"},
		"postgres://user:secret@localhost/v1": {"", "does not begin with http://"},
	} {
		s, err := Config{BaseURL: base, Model: "m"}.check()
		switch {
		case want[0] == "":
			if err == nil || !strings.Contains(err.Error(), want[1]) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: got error %v, want %q", base, err, want[1])
			}
		case err != nil:
			t.Errorf("%q: got error %v", base, err)
		case s.web.URL.String() != want[0] || s.web.Place != want[1]:
			t.Errorf("%q: got %s, %s; want %v", base, s.web.URL, s.web.Place, want)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Setenv("OPENAI_TEST_EMPTY", " ")
	t.Setenv("OPENAI_TEST_ODD", "secret\nline")
	t.Setenv("OPENAI_TEST_KEY", "secret")
	good := Config{BaseURL: "http://h/v1", Model: "m"}
	s, err := good.check()
	must(t, err)
	if s.MaxBatch != 32 || s.Parallel != 4 || s.Timeout != 2*time.Minute || s.Retries != 4 {
		t.Errorf("unexpected defaults %+v", s.Config)
	}
	for want, change := range map[string]func(*Config){
		"no model given":                            func(c *Config) { c.Model = "" },
		"dimensions, batch size":                    func(c *Config) { c.Dimensions = -1 },
		"100000 dimensions are more":                func(c *Config) { c.Dimensions = 100000 },
		"batch size, parallel requests":             func(c *Config) { c.MaxBatch = -1 },
		"timeout must not be negative":              func(c *Config) { c.Timeout = -1 },
		"variable OPENAI_TEST_EMPTY is empty":       func(c *Config) { c.APIKeyEnv = "OPENAI_TEST_EMPTY" },
		"OPENAI_TEST_ODD contains characters":       func(c *Config) { c.APIKeyEnv = "OPENAI_TEST_ODD" },
		"has credentials, and OPENAI_TEST_KEY has ": func(c *Config) { c.APIKeyEnv = "OPENAI_TEST_KEY"; c.BaseURL = "http://u:secret@h" },
	} {
		c := good
		change(&c)
		_, err := New(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

func TestPresets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	if got := strings.Join(PresetNames(), " "); got != "llama.cpp ollama openai tei vllm" {
		t.Errorf("PresetNames() = %q", got)
	}
	for _, name := range append(PresetNames(), "OpenAI", "vLLM") {
		c, err := Preset(name)
		must(t, err)
		c.Model, c.Dimensions = "m", 8
		e, err := New(t.Context(), c)
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
		} else if needs := strings.EqualFold(name, "openai"); (e.web.Key != "") != needs || !strings.HasSuffix(e.web.Place, "/v1") {
			t.Errorf("%s: unexpected configuration %+v", name, c)
		}
	}
	if _, err := Preset("other"); err == nil || !strings.Contains(err.Error(), `"other", want one of llama.cpp, ollama`) {
		t.Errorf("got error %v, want one that lists the presets", err)
	}
}
