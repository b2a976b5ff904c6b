package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trailOf are the lines of an audit trail, in short.
func trailOf(t *testing.T, file string) (lines []string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Time.IsZero() {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Address != "" && !strings.HasPrefix(e.Address, "127.0.0.1:") {
			t.Errorf("from %q", e.Address)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %d %v %s %s", e.Key, e.Action, e.Collection, e.Count, e.IDs, e.Outcome, e.Error)))
	}
	return lines
}

// Each change is logged before and after.
func TestAudit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	a := start(t, Config{Root: t.TempDir(), Keys: testKeys, Audit: file})
	a.key = testSecrets[Admin]
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.fails("exists", "already", "POST", "/v1/collections", `{"name": "pets"}`)
	a.key = testSecrets[Write]
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	a.call(200, "POST", "/v1/collections/pets/documents/delete", `{"ids": ["cat", "none"]}`)
	a.call(204, "DELETE", "/v1/collections/pets/documents/soup", "")
	a.call(200, "POST", "/v1/collections/pets/sources", `{"sources": [{"name": "a.md", "size": 1, "modified": 0, "sha256": ""}]}`)
	a.lines(bulkPath, ndjson, nil, strings.NewReader(`{"id": "x", "text": "a dog"}`))
	a.call(200, "POST", searchPath, `{"query": "dog"}`) // changes nothing
	a.key = testSecrets[Admin]
	a.call(204, "DELETE", "/v1/collections/pets", "")
	admin, write := testKeys[2].ID, testKeys[1].ID
	var want []string
	for _, change := range []struct{ what, outcome string }{
		{admin + " make_collection pets 0 []", "done"},
		{admin + " make_collection pets 0 []", "failed exists"},
		{write + " store pets 4 [a/leashed.md free cat soup]", "done"},
		{write + " delete pets 2 [cat none]", "done"},
		{write + " delete pets 1 [soup]", "done"},
		{write + " note_sources pets 1 [a.md]", "done"},
		{write + " store pets 1 [x]", "done"},
		{admin + " delete_collection pets 0 []", "done"},
	} {
		want = append(want, change.what+" begun", change.what+" "+change.outcome)
	}
	if got := trailOf(t, file); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the trail is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Without a trace nothing is changed; reading goes on. The trail goes on in a new file
// when the old one was moved away.
func TestAuditFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	a := start(t, Config{Root: t.TempDir(), Audit: file})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	readOnly, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	works := a.server.audit.file
	defer works.Close()
	a.server.audit.file = readOnly
	a.fails("unavailable", "audit log", "POST", "/v1/collections/pets/documents", `{"id": "new", "text": "x"}`)
	a.fails("unavailable", "audit log", "DELETE", "/v1/collections/pets/documents/cat", "")
	a.fails("unavailable", "audit log", "DELETE", "/v1/collections/pets", "")
	a.fails("unavailable", "audit log", "POST", "/v1/collections", `{"name": "more"}`)
	if lines := a.lines(bulkPath, ndjson, nil, strings.NewReader(`{"text": "x"}`)); at(lines[0], "error", "code") != "unavailable" {
		t.Errorf("bulk: %v", lines)
	}
	if c := a.call(200, "GET", "/v1/collections/pets", ""); c["documents"] != 4.0 {
		t.Errorf("something was changed: %v", c)
	}
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := a.server.Reload(); err != nil {
		t.Fatal(err)
	}
	a.call(204, "DELETE", "/v1/collections/pets/documents/cat", "")
	if old, now := trailOf(t, file+".1"), trailOf(t, file); len(old) != 4 || len(now) != 2 {
		t.Errorf("the trails: %q, %q", old, now)
	}
	// After a truncated line, the log continues on a new one.
	if _, err := a.server.audit.file.WriteString("{"); err != nil {
		t.Fatal(err)
	}
	a.server.audit.torn = true
	a.call(204, "DELETE", "/v1/collections/pets/documents/soup", "")
	content, err := os.ReadFile(file)
	if err != nil || strings.Count(string(content), "\n") != 5 || !strings.Contains(string(content), "\n{\n{\"time\"") {
		t.Errorf("the trail: %s, %v", content, err)
	}
	if _, err := New(Config{Audit: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "audit") {
		t.Errorf("a trail that cannot be opened: %v", err)
	}
}
