package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServeKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	must(t, "serve", "key", "--role", "write", "--collection", "films", "--collection", "notes", "--expires", "90d", "--note", "the shop", "--keys-file", file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := string(content)
	if !strings.Contains(line, " collection=films collection=notes the shop\n") || !strings.Contains(line, " expires=") {
		t.Errorf("the file: %s", line)
	}
	for words, args := range map[string][]string{
		"is not a time to come":       {"--expires", "yesterday"},
		"is not a collection's name:": {"--collection", "films,notes"},
		"starts with \"expires=90d\"": {"--note", "expires=90d"},
	} {
		if code, _, errs := cli("", append([]string{"serve", "key"}, args...)...); code == 0 || !strings.Contains(errs, words) {
			t.Errorf("%v: %d, %s; want %q", args, code, errs, words)
		}
	}
}

func TestParseEnd(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 5, time.UTC)
	for text, want := range map[string]string{
		"": "0001-01-01T00:00:00Z", "90d": "2026-07-30T12:00:00Z", "12h": "2026-05-02T00:00:00Z",
		"2027-01-31": "2027-01-31T00:00:00Z", "2027-01-31T12:00:00+02:00": "2027-01-31T10:00:00Z",
		"0d": "", "-1h": "", "2026-01-31": "", "d": "", "-1d": "", "x": "",
	} {
		got, err := parseEnd(text, now)
		if err != nil && want != "" || err == nil && got.Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v; want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
}
