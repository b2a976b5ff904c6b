package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
)

// needPython skips a test if the Python packages of make setup are missing.
func needPython(t *testing.T) {
	t.Helper()
	if os.Getenv("PYTHONPATH") == "" {
		t.Skipf("needs %s, which make setup fills", packages)
	}
}

// Docker Compose accepts the example, but only with the variables set in its README.md.
func TestCompose(t *testing.T) {
	load := func(environment ...string) error {
		options, err := cli.NewProjectOptions([]string{"../../examples/compose/docker-compose.yaml"}, cli.WithEnv(environment))
		if err != nil {
			return err
		}
		project, err := options.LoadProject(context.Background())
		if err != nil {
			return err
		}
		if s := project.Services["nsfl"]; s.Image != "nsfl:0.1.0" || !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") {
			t.Errorf("unexpected service %+v", s)
		}
		return nil
	}
	if err := load("NSFL_KEYS=1f0c77aa admin 9e71 me", "POSTGRES_PASSWORD=secret"); err != nil {
		t.Error(err)
	}
	if err := load("POSTGRES_PASSWORD=secret"); err == nil || !strings.Contains(err.Error(), "nsfl serve key") {
		t.Errorf("without keys: got error %v", err)
	}
}

// useTool imports the tool like Open WebUI, and calls it like a model.
const useTool = `
import asyncio, importlib.util, sys
spec = importlib.util.spec_from_file_location("tool", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
tools = module.Tools()
tools.valves = tools.Valves(server=sys.argv[2], key=sys.argv[3], results=2)
cited = []
async def emit(event): cited.append(event["data"]["source"]["id"])
async def use():
    found = await tools.search_documents("dog AND NOT ball", emit)
    print(found)
    print("cited", len(cited), all(f"[{id}]" in found for id in cited))
    print("read", len(await tools.read_document(cited[0])) > 20)
    print(await tools.search_documents("dog AND ("))
    print(await tools.read_document("no such"))
    tools.valves.key = ""
    print(await tools.search_documents("dog"))
    tools.valves.server = "http://127.0.0.1:1"
    print(await tools.search_documents("dog"))
asyncio.run(use())
`

func TestOpenWebUI(t *testing.T) {
	needPython(t)
	r, dir := dist(t), t.TempDir()
	must(t, nil, "tar", "-xzf", r.at(r.archiveName(here)), "-C", dir)
	command, keys := filepath.Join(dir, r.title(here.dashed()), "nsfl"), filepath.Join(dir, "keys")
	key := strings.TrimSpace(must(t, nil, command, "serve", "key", "--role", "read", "--keys-file", keys))
	serve := exec.Command(command, "serve", "--demo", "--listen", "127.0.0.1:0", "--keys-file", keys, "--log", "off")
	serve.Env = append(clean(os.Environ()), "NSFL_CACHE=off")
	address := started(t, serve)
	tool, err := filepath.Abs("../../examples/openwebui/nsfl_search.py")
	if err != nil {
		t.Fatal(err)
	}
	out := must(t, nil, "python3", "-c", useTool, tool, "http://"+address, key)
	for _, want := range []string{firstFound, "cited 2 True", "read True", "nsfl refused the request: expected", "no such", "key", "cannot reach nsfl at http://127.0.0.1:1"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}

// started runs a server until the test ends, and returns its address.
func started(t *testing.T, serve *exec.Cmd) string {
	t.Helper()
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Kill() }) // it may have ended already
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, _ := strings.Cut(line, "http://")
	address, _, found := strings.Cut(address, ";")
	if !found {
		t.Fatalf("got output %q, error %v", line, err)
	}
	return address
}
