package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client starts the command as its child, as agents do.
func TestStdio(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and runs it")
	}
	path := filepath.Join(t.TempDir(), "nsfl")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "../../cmd/nsfl")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the command: %v\n%s", err, out)
	}
	for name, test := range map[string]func(t *testing.T, path string){"demo": testDemo, "writing": testWriting, "quiet": testQuiet, "usage": testUsage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, path)
		})
	}
}

// command is a run of it that keeps its caches to itself.
func command(t *testing.T, path string, words ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), path, words...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home, "NSFL_COLLECTION=", "NSFL_CACHE=")
	return cmd
}

func testDemo(t *testing.T, path string) {
	var log bytes.Buffer
	cmd := command(t, path, "mcp", "--demo")
	cmd.Stderr = &log
	session := connect(t, &sdk.CommandTransport{Command: cmd})
	list, text := answer[listAnswer](t, session, "list_collections", nil)
	if len(list.Collections) != 1 || list.Collections[0].Name != "demo" || list.Collections[0].Documents != 549 {
		t.Errorf("got %+v, want the demo with 549 documents", list)
	}
	contains(t, "list", text, `"name":"minutes","kind":"number"`, `"film"`)
	found, text := answer[searchAnswer](t, session, "search", args{"query": "dog AND NOT ball", "k": 5})
	if len(found.Hits) != 5 {
		t.Fatalf("got %+v, want 5 hits", found)
	}
	contains(t, "search", text, `"collection":"demo"`)
	id := found.Hits[1].ID
	x, _ := answer[explainAnswer](t, session, "explain", args{"query": "dog AND NOT ball", "id": id})
	if x.Rank != 2 || x.Score != found.Hits[1].Score {
		t.Errorf("got %+v, want rank 2 with the score of the second hit", x)
	}
	answer[getAnswer](t, session, "get_document", args{"id": id})
	text, failed, _ := call(t, session, "search", args{"query": "dog AND"})
	if !failed {
		t.Error("no error")
	}
	contains(t, "error", text, "A correct query: ")
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: addName, Arguments: args{"documents": []args{{"text": "x"}}}}); err == nil {
		t.Error("the demo was changed")
	}
	if err := session.Close(); err != nil {
		t.Errorf("the command ended with %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", log.String())
	}
}

// Two agents write to the same collections.
func testWriting(t *testing.T, path string) {
	root := t.TempDir()
	start := func(words ...string) *sdk.ClientSession {
		return connect(t, &sdk.CommandTransport{Command: command(t, path, append([]string{"mcp"}, words...)...)})
	}
	first, second, reader := start("--root", root), start("--root", root), start("--root", root, "--read-only")
	if list, text := answer[listAnswer](t, first, "list_collections", nil); len(list.Collections) != 0 {
		t.Error(text)
	}
	text, failed, _ := call(t, first, addName, args{"collection": "../x", "create": true, "documents": []args{{"text": "x"}}})
	if !failed {
		t.Error("a collection was made elsewhere")
	}
	contains(t, "refusal", text, "cannot be a collection's name")
	add := func(session *sdk.ClientSession, id string) {
		t.Helper()
		answer[addAnswer](t, session, addName, args{"collection": "notes", "create": true, "documents": []args{{"id": id, "text": "The kettle is on, said " + id}}})
	}
	add(first, "ann")
	for _, s := range []*sdk.ClientSession{second, reader} {
		found, _ := answer[searchAnswer](t, s, "search", args{"query": "tea"})
		if len(found.Hits) != 1 {
			t.Errorf("got %+v, want 1 hit", found)
		}
	}
	add(second, "bob")
	add(first, "cid")
	for _, s := range []*sdk.ClientSession{first, second, reader} {
		found, _ := answer[searchAnswer](t, s, "search", args{"query": "tea"})
		if len(found.Hits) != 3 {
			t.Errorf("got %+v, want 3 hits", found)
		}
	}
}

// Standard output has messages of the protocol and nothing else, and the command
// ends when its input does.
func testQuiet(t *testing.T, path string) {
	cmd := command(t, path, "mcp", "-c", filepath.Join(t.TempDir(), "notes"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add_documents","arguments":{"collection":"notes","create":true,"documents":[{"text":"hello"}]}}}
`)
	messages := json.NewDecoder(out)
	for id := 1; id <= 2; id++ {
		var message struct {
			ID     int
			Result struct{ IsError bool }
		}
		if err := messages.Decode(&message); err != nil || message.ID != id || message.Result.IsError {
			t.Errorf("message %d: %+v, %v", id, message, err)
		}
	}
	in.Close()
	rest, err := io.ReadAll(io.MultiReader(messages.Buffered(), out))
	if err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("more on standard output: %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the command ended with %v", err)
	}
}

func testUsage(t *testing.T, path string) {
	for words, want := range map[string]string{
		"":                       "no collection is named",
		"--demo --root .":        "use only one of",
		"-c x --demo":            "use only one of",
		"--root nowhere":         "nowhere",
		"-c nowhere --read-only": "there is no collection in nowhere",
		"--demo more":            "mcp takes no arguments",
		"--root " + path:         "not a directory",
	} {
		cmd := command(t, path, append([]string{"mcp"}, strings.Fields(words)...)...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("nsfl mcp %s: %v, %s", words, err, out)
		}
	}
}
