package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/server/auth"
)

// keysFile writes keys to a file.
func keysFile(t *testing.T, file string, keys ...auth.Key) string {
	t.Helper()
	if file == "" {
		file = filepath.Join(t.TempDir(), "keys")
	}
	text := "# a comment\n"
	for _, k := range keys {
		text += k.String() + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Keys come and go while the server runs, and a broken list changes nothing.
func TestKeysReload(t *testing.T) {
	log := &logged{}
	file := keysFile(t, "", testKeys...)
	a := start(t, Config{Root: t.TempDir(), KeysFile: file, Log: slog.New(slog.NewTextHandler(log, nil))})
	var mu sync.Mutex
	now := time.Now()
	a.server.keys.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	status := func(role Role) int {
		mu.Lock()
		now = now.Add(time.Second)
		mu.Unlock()
		a.key = testSecrets[role]
		response, _ := a.request("GET", "/v1/collections", nil, nil)
		return response.StatusCode
	}
	for _, step := range []struct {
		name        string
		keys        []auth.Key
		broken      string
		read, write int
	}{
		{name: "all", keys: testKeys, read: 200, write: 200},
		{name: "one revoked", keys: testKeys[1:], read: 401, write: 200},
		{name: "broken", broken: "x", read: 401, write: 200},
		{name: "gone", broken: "gone", read: 401, write: 200},
		{name: "mended", keys: testKeys, read: 200, write: 200},
		{name: "none", keys: nil, read: 401, write: 401},
	} {
		switch step.broken {
		case "":
			keysFile(t, file, step.keys...)
		case "gone":
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(file, []byte(step.broken), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if read, write := status(Read), status(Write); read != step.read || write != step.write {
			t.Errorf("%s: %d and %d, want %d and %d", step.name, read, write, step.read, step.write)
		}
	}
	if text := log.String(); strings.Count(text, "THE NEW KEYS CANNOT BE READ") != 2 || strings.Contains(text, "everyone on this machine") {
		t.Errorf("the log: %s", text)
	}
	if err := os.WriteFile(file, []byte(testKeys[0].String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := a.server.Reload(); err != nil || !strings.Contains(log.String(), "everyone on this machine") {
		t.Errorf("a file for all to read: %v, %s", err, log.String())
	}
	a.key = testSecrets[Read]
	a.call(200, "GET", "/v1/collections", "")
}

func TestKeyExpires(t *testing.T) {
	secret, key, err := auth.NewKey(Read, "")
	if err != nil {
		t.Fatal(err)
	}
	key.Expires = time.Now().Add(time.Hour).Truncate(time.Second)
	a := start(t, Config{Root: t.TempDir(), Keys: []auth.Key{key}})
	a.key = secret
	a.call(200, "GET", "/v1/collections", "")
	a.server.keys.Now = func() time.Time { return key.Expires }
	a.fails("unauthorized", "expired", "GET", "/v1/collections", "")
}

// A key that is revoked stores nothing more, not even in a stream that has begun.
func TestRevokedStream(t *testing.T) {
	file := keysFile(t, "", testKeys...)
	a := start(t, Config{Root: t.TempDir(), KeysFile: file})
	a.key = testSecrets[Admin]
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	feed, lines := a.open(bulkPath, ndjson)
	for i := range batchDocuments + 1 {
		fmt.Fprintf(feed, `{"id": "%d", "text": "a dog"}`+"\n", i)
	}
	if line := lines(); line["type"] != "stored" {
		t.Fatal(line)
	}
	keysFile(t, file, testKeys[0])
	if err := a.server.keys.Reload(); err != nil {
		t.Fatal(err)
	}
	feed.Close()
	if line := lines(); line["ok"] != false || at(line, "error", "code") != "unauthorized" || line["documents"] != float64(batchDocuments) {
		t.Errorf("after it was revoked: %v", line)
	}
}

// To a key that is for some collections there are no others.
func TestKeyScope(t *testing.T) {
	secret, key, err := auth.NewKey(Admin, "")
	if err != nil {
		t.Fatal(err)
	}
	key.Collections = []string{"pets", "mine"}
	a := start(t, Config{Root: t.TempDir(), Keys: append(testKeys[:3:3], key)})
	a.key = testSecrets[Admin]
	for _, name := range []string{"pets", "secret"} {
		a.call(201, "POST", "/v1/collections", `{"name": "`+name+`"}`)
		a.call(200, "POST", "/v1/collections/"+name+"/documents", animals)
	}
	a.key = secret
	list := a.call(200, "GET", "/v1/collections", "")
	if all := at(list, "collections").([]any); len(all) != 1 || at(all[0], "name") != "pets" {
		t.Errorf("listed: %v", list)
	}
	a.call(200, "POST", searchPath, `{"query": "dog"}`)
	a.call(201, "POST", "/v1/collections", `{"name": "mine"}`)
	a.fails("forbidden", "other collections", "POST", "/v1/collections", `{"name": "theirs"}`)
	a.fails("forbidden", "other collections", "POST", "/v1/collections", `{"name": "secret"}`)
	for path, methods := range a.check.paths {
		if !strings.HasPrefix(path, one) {
			continue
		}
		for method := range methods {
			url := func(name string) string {
				return strings.NewReplacer("{name}", name, "{id}", "cat").Replace(path)
			}
			response, there := a.request(strings.ToUpper(method), url("secret"), nil, nil)
			again, missing := a.request(strings.ToUpper(method), url("nowhere"), nil, nil)
			same := strings.ReplaceAll(string(there), "secret", "nowhere")
			same = strings.ReplaceAll(same, response.Header.Get("X-Request-Id"), again.Header.Get("X-Request-Id"))
			if response.StatusCode != 404 || again.StatusCode != 404 || same != string(missing) {
				t.Errorf("%s %s: %d: %s; of none there: %d: %s", method, path, response.StatusCode, there, again.StatusCode, missing)
			}
		}
	}
	a.fails("not_found", "no model", "POST", "/v1/embeddings", `{"model": "secret", "input": "x"}`)
	a.key = testSecrets[Admin]
	a.call(200, "GET", "/v1/collections/secret", "")
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
