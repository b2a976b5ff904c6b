package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A manual is the same wherever it was made.
func TestMan(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1800000000")
	dir := filepath.Join(t.TempDir(), "man1")
	must(t, "man", dir)
	for page, wants := range map[string][]string{
		"nsfl.1":        {`"Jan 2027"`, "nsfl-search(1)"},
		"nsfl-search.1": {"--explain", "dog AND NOT"},
		"nsfl-serve.1":  {"\\fB--memory\\fP=\n", "as the machine allows"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s:\n%s", page, want, text)
			}
		}
	}
	if code, _, errs := cli("", "man"); code != exitUsage {
		t.Errorf("no folder: %d, %s", code, errs)
	}
}
