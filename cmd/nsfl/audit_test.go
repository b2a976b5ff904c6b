package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/audit"
)

var update = flag.Bool("update", false, "write the golden files")

// TestAuditDemo: the demo is too small for an answer, and the audit says so.
func TestAuditDemo(t *testing.T) {
	out := must(t, "audit", "--set", "demo", "--caps", "none,0.5", "--quiet")
	path := filepath.Join("testdata", "audit", "demo.txt")
	if *update {
		if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out != string(want) {
		t.Errorf("printed\n%s\nwant\n%s", out, want)
	}
}

// TestAuditFormats: the formats, the file and the modes. The set is so small that no
// query can be asked.
func TestAuditFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.md")
	if out := must(t, "audit", "--set", evalData+"animals", "--mode", "rerank", "--caps", "", "--quiet", "--format", "markdown", "-o", file); out != "" {
		t.Errorf("printed:\n%s", out)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "too small for an answer") {
		t.Errorf("the file: %v, %s", err, data)
	}
	out := must(t, "audit", "--set", evalData+"animals", "--mode", "hybrid", "--caps", "0.5", "--quiet", "--format", "json")
	var a audit.Audit
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	if a.Queries != 0 || len(a.Pairs) != 0 || len(a.Caps) != 2 || a.Caps[1].Cost == nil ||
		a.Command != "nsfl audit --caps 0.5 --format json --mode hybrid --set animals" {
		t.Errorf("the audit is %s", out)
	}
}

func TestAuditRefuses(t *testing.T) {
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "no set is named", nil},
		{exitUsage, "exact, rerank or hybrid, not sqo", []string{"--set", "demo", "--mode", "sqo"}},
		{exitUsage, `unknown cap "2"`, []string{"--set", "demo", "--caps", "none,2"}},
		{exitUsage, "--caps instead of --gate-cap", []string{"--set", "demo", "--gate-cap", "0.5"}},
		{exitUsage, `unknown format "pdf"`, []string{"--set", "demo", "--format", "pdf"}},
		{exitUsage, "replaces --encoder", []string{"--set", "demo", "--vectors", "x", "--encoder", "builtin"}},
		{exitFailed, "no document of the set has labels", []string{"--set", evalData + "beir", "--split", "test"}},
	} {
		if code, _, errs := cli("", append([]string{"audit", "--quiet"}, c.args...)...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("audit %v: exits with %d and says %q, want %d and %q", c.args, code, errs, c.code, c.want)
		}
	}
}
