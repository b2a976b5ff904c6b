package server

import (
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
	s, err := Load(lookup, map[string]string{"search-time": "11s", "demo": "false", "answer-bytes": "5KiB"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Listen != "127.0.0.1:1" || s.Limits.Searches != 8 || s.Limits.SearchTime != 11*time.Second || s.Demo || s.Limits.AnswerBytes != 5<<10 {
		t.Errorf("loaded: %+v", s)
	}
	s.Keys = []string{testKeys[0].String()}
	c, err := s.Config()
	if err != nil || len(c.Keys) != 1 || c.Keys[0].String() != testKeys[0].String() || c.Hosts[1] != "b.local" {
		t.Errorf("config: %+v, %v", c, err)
	}
	none := func(string) (string, bool) { return "", false }
	defaults, err := Load(none, nil)
	if err != nil || defaults.Listen != "127.0.0.1:7700" || defaults.Limits.Results > retrieve.MaxK {
		t.Errorf("defaults: %+v, %v", defaults, err)
	}
	for name, value := range map[string]string{"searches": "8KiB", "memory": "2XB", "demo": "maybe", "stall-time": "1", "search-time": "x"} {
		if _, err := Load(none, map[string]string{name: value}); err == nil || !strings.Contains(err.Error(), "--"+name) {
			t.Errorf("--%s %s: %v", name, value, err)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(empty, []byte("# none yet\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for words, change := range map[string]func(*Settings){
		"others could reach the server": func(s *Settings) { s.Listen = "0.0.0.0:1" },
		"others could":                  func(s *Settings) { s.Listen, s.Insecure = "0.0.0.0:1", true },
		"both required":                 func(s *Settings) { s.TLSCert = "x" },
		"the certificate":               func(s *Settings) { s.TLSCert, s.TLSKey = "none", "none" },
		"reading keys":                  func(s *Settings) { s.KeysFile = "none" },
		"there is none in":              func(s *Settings) { s.KeysFile = empty },
		"line 1":                        func(s *Settings) { s.Keys = []string{"x"} },
		"twice":                         func(s *Settings) { s.Keys = []string{testKeys[0].String(), testKeys[0].String()} },
	} {
		s := DefaultSettings()
		change(s)
		if _, err := s.Config(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", s, err, words)
		}
	}
	s := DefaultSettings()
	s.Listen, s.Insecure, s.ReallyInsecure = "0.0.0.0:1", true, true
	if c, err := s.Config(); err != nil || !c.Insecure {
		t.Errorf("told twice: %v", err)
	}
}

func FuzzKeys(f *testing.F) {
	f.Add(testKeys[0].String() + "\n# x\n" + testKeys[1].String())
	f.Add("12345678 read")
	f.Add("12345678 read " + strings.Repeat("0", 64) + " expires=2027-01-31T00:00:00Z collection=films collection=a-b for the shop")
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := auth.ReadKeys(strings.NewReader(text))
		if err != nil {
			return
		}
		var list strings.Builder
		for _, k := range keys {
			list.WriteString(k.String() + "\n")
		}
		again, err := auth.ReadKeys(strings.NewReader(list.String()))
		if err != nil || len(again) != len(keys) {
			t.Fatalf("%q: %v", list.String(), err)
		}
		for i := range keys {
			if again[i].String() != keys[i].String() || !again[i].Expires.Equal(keys[i].Expires.Truncate(time.Second)) {
				t.Fatalf("%q is read as %q", keys[i], again[i])
			}
		}
	})
}

// Stores are given by several flags or one variable.
func TestStoreSettings(t *testing.T) {
	const a, b = "films=postgres://user:hunter2@db/films?collection=films", "notes=weaviate://n1:8080,n2:8080/?collection=Notes"
	none := func(string) (string, bool) { return "", false }
	variable := func(name string) (string, bool) { return a + " " + b, name == "NSFL_STORES" }
	for name, load := range map[string]func() (*Settings, error){
		"variable": func() (*Settings, error) { return Load(variable, nil) },
		"flags":    func() (*Settings, error) { return Load(none, map[string]string{"store": a + " " + b}) },
	} {
		s, err := load()
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Config()
		if err != nil || len(c.Stores) != 2 || "films="+c.Stores["films"] != a || "notes="+c.Stores["notes"] != b {
			t.Errorf("%s: %v, %v", name, c.Stores, err)
		}
	}
	for _, item := range []string{"postgres://user:hunter2@db/films?collection=films", "hunter2", "Films=hunter2://x"} {
		s := DefaultSettings()
		s.Stores = []string{item}
		_, err := s.Config()
		if err == nil || !strings.Contains(err.Error(), "store 1 is not NAME=ADDRESS") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", item, err)
		}
	}
}
