package compose

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/auth"
)

// The server accepts the settings in the file, and with a real PostgreSQL does what README.md
// describes.
func TestService(t *testing.T) {
	secret, key, err := auth.NewKey(server.Admin, "me")
	if err != nil {
		t.Fatal(err)
	}
	environment := service(t, "nsfl", map[string]string{"NSFL_KEYS": key.String(), "POSTGRES_PASSWORD": "secret"})
	if environment["PGPASSWORD"] != "secret" {
		t.Errorf("got password %q, want secret", environment["PGPASSWORD"])
	}
	db := postgrestest.New(t)
	environment["NSFL_STORES"] = strings.Replace(environment["NSFL_STORES"], "nsfl@db/nsfl", "postgres:"+postgrestest.Password+"@"+db.Address()+"/postgres", 1)
	environment["NSFL_LISTEN"], environment["NSFL_COLLECTIONS"] = "127.0.0.1:0", t.TempDir() // the image sets them, too
	base := serve(t, environment)
	call := func(path, body string) string {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var text strings.Builder
		if err := answer.Write(&text); err != nil || answer.StatusCode >= 300 {
			t.Fatalf("%s: %v\n%s", path, err, &text)
		}
		return text.String()
	}
	call("/v1/collections", `{"name": "notes"}`)
	call("/v1/collections/notes/documents", `[{"id": "disk", "text": "A backup of the disk to tape"}, {"id": "db", "text": "A backup of the database by pg_dump"}]`)
	if got := call("/v1/collections/notes/search", `{"query": "backup AND NOT database", "k": 1}`); !strings.Contains(got, `"id":"disk"`) {
		t.Errorf("got\n%s\nwant disk", got)
	}
}

// serve starts nsfl serve with an environment, and returns its address.
func serve(t *testing.T, environment map[string]string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "nsfl")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/nsfl").CombinedOutput(); err != nil {
		t.Fatalf("building nsfl: %v\n%s", err, out)
	}
	server := exec.CommandContext(t.Context(), binary, "serve")
	server.Env = os.Environ()
	for name, value := range environment {
		server.Env = append(server.Env, name+"="+value)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() }) // the context kills it
	line, err := bufio.NewReader(out).ReadString('\n')
	_, base, found := strings.Cut(line, "nsfl serves ")
	base, _, _ = strings.Cut(base, ";")
	if err != nil || !found {
		t.Fatalf("nsfl serve printed %q: %v", line, err)
	}
	return base
}

// service reads the environment of one of the file's services.
func service(t *testing.T, name string, given map[string]string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("docker-compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct{ Environment map[string]string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	environment := file.Services[name].Environment
	for variable, value := range environment {
		environment[variable] = os.Expand(value, func(reference string) string {
			wanted, _, _ := strings.Cut(reference, ":")
			if given[wanted] == "" {
				t.Errorf("%s requires %s, which README.md does not set", variable, wanted)
			}
			return given[wanted]
		})
	}
	return environment
}
