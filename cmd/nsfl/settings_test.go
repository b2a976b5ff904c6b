package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/server/auth"
)

func TestSettings(t *testing.T) {
	environment := map[string]string{"NSFL_LISTEN": "127.0.0.1:1", "NSFL_SEARCHES": "8", "NSFL_SEARCH_TIME": "10s", "NSFL_HOSTS": "a, B.local", "NSFL_DEMO": "true"}
	lookup := func(name string) (string, bool) { v, ok := environment[name]; return v, ok }
	s := newSettings()
	if err := errors.Join(s.flags.Parse([]string{"--search-time", "11s", "--demo=false", "--answer-bytes", "5KiB"}), s.readEnvironment(lookup)); err != nil {
		t.Fatal(err)
	}
	if s.listen != "127.0.0.1:1" || s.Limits.Searches != 8 || s.Limits.SearchTime != 11*time.Second || s.demo || s.Limits.AnswerBytes != 5<<10 {
		t.Errorf("loaded: %+v", s)
	}
	key := newKey(t)
	s.keys = []string{key}
	c, err := s.config()
	if err != nil || len(c.Keys) != 1 || c.Keys[0].String() != key || c.Hosts[1] != "b.local" {
		t.Errorf("config: %+v, %v", c, err)
	}
	if defaults := newSettings(); defaults.listen != "127.0.0.1:7700" || defaults.Limits.Results > retrieve.MaxK {
		t.Errorf("defaults: %+v", defaults)
	}
	for name, value := range map[string]string{"searches": "8KiB", "memory": "2XB", "demo": "maybe", "stall-time": "1", "search-time": "x", "query-bytes": "9999999999GiB"} {
		if err := newSettings().flags.Parse([]string{"--" + name + "=" + value}); err == nil || !strings.Contains(err.Error(), "--"+name) {
			t.Errorf("--%s %s: %v", name, value, err)
		}
		environment := func(asked string) (string, bool) { return value, asked == variable(name) }
		if err := newSettings().readEnvironment(environment); err == nil || !strings.Contains(err.Error(), "$"+variable(name)) {
			t.Errorf("$%s %s: %v", variable(name), value, err)
		}
	}
}

// newKey returns a line of a key file.
func newKey(t *testing.T) string {
	_, key, err := auth.NewKey(auth.Read, "")
	if err != nil {
		t.Fatal(err)
	}
	return key.String()
}

func TestSettingsRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(empty, []byte("# none yet\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	key := newKey(t)
	for words, change := range map[string]func(*settings){
		"others could reach the server": func(s *settings) { s.listen = "0.0.0.0:1" },
		"others could":                  func(s *settings) { s.listen, s.Insecure = "0.0.0.0:1", true },
		"both required":                 func(s *settings) { s.TLSCert = "x" },
		"the certificate":               func(s *settings) { s.TLSCert, s.TLSKey = "none", "none" },
		"reading keys":                  func(s *settings) { s.KeysFile = "none" },
		"there is none in":              func(s *settings) { s.KeysFile = empty },
		"line 1":                        func(s *settings) { s.keys = []string{"x"} },
		"twice":                         func(s *settings) { s.keys = []string{key, key} },
	} {
		s := newSettings()
		change(s)
		if _, err := s.config(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", s, err, words)
		}
	}
	s := newSettings()
	s.listen, s.Insecure, s.reallyInsecure = "0.0.0.0:1", true, true
	if c, err := s.config(); err != nil || !c.Insecure {
		t.Errorf("told twice: %v", err)
	}
}

// Stores are given by several flags or one variable.
func TestStoreSettings(t *testing.T) {
	const a, b = "films=postgres://user:hunter2@db/films?collection=films", "notes=weaviate://n1:8080,n2:8080/?collection=Notes"
	for name, load := range map[string]func(*settings) error{
		"variable": func(s *settings) error {
			return s.readEnvironment(func(name string) (string, bool) { return a + " " + b, name == "NSFL_STORES" })
		},
		"flags": func(s *settings) error { return s.flags.Parse([]string{"--store", a, "--store", b}) },
	} {
		s := newSettings()
		if err := load(s); err != nil {
			t.Fatal(err)
		}
		c, err := s.config()
		if err != nil || len(c.Stores) != 2 || "films="+c.Stores["films"] != a || "notes="+c.Stores["notes"] != b {
			t.Errorf("%s: %v, %v", name, c.Stores, err)
		}
	}
	for _, item := range []string{"postgres://user:hunter2@db/films?collection=films", "hunter2", "Films=hunter2://x"} {
		s := newSettings()
		s.stores = []string{item}
		_, err := s.config()
		if err == nil || !strings.Contains(err.Error(), "store 1 is not NAME=ADDRESS") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", item, err)
		}
	}
}
