package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// registry is an npm registry with only the packages of the release.
func registry(t *testing.T, r *release) *httptest.Server {
	t.Helper()
	packages, err := filepath.Glob(r.at("npm/*.tgz"))
	if err != nil || len(packages) != 2 {
		t.Fatalf("got npm packages %v, %v", packages, err)
	}
	answers := map[string][]byte{} // by path, in which npm escapes names
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if answer, ok := answers[q.URL.Path]; ok {
			w.Write(answer)
			return
		}
		http.NotFound(w, q)
	}))
	t.Cleanup(s.Close)
	for _, file := range packages {
		var about map[string]any
		if err := json.Unmarshal([]byte(must(t, nil, "tar", "-xzOf", file, "package/package.json")), &about); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		about["dist"] = map[string]string{"tarball": s.URL + "/-/" + filepath.Base(file), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		version := about["version"].(string)
		document, err := json.Marshal(map[string]any{
			"name": about["name"], "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: about},
		})
		if err != nil {
			t.Fatal(err)
		}
		answers["/"+about["name"].(string)], answers["/-/"+filepath.Base(file)] = document, data
	}
	return s
}

// In a new folder, npx downloads the launcher and this platform's binary, and runs it.
func TestNPM(t *testing.T) {
	need(t, "npm")
	r := dist(t)
	s := registry(t, r)
	home := t.TempDir()
	environment := []string{
		"HOME=" + home, "npm_config_cache=" + filepath.Join(home, "cache"), "npm_config_registry=" + s.URL,
		"npm_config_userconfig=" + filepath.Join(home, "npmrc"), "npm_config_audit=false", "npm_config_update_notifier=false", "npm_config_yes=true",
	}
	if out := must(t, environment, "npx", append([]string{"nsfl"}, firstSearch...)...); !strings.Contains(out, firstFound) {
		t.Errorf("unexpected output of npx:\n%s", out)
	}

	project := t.TempDir()
	must(t, environment, "npm", "install", "--prefix", project, "nsfl")
	command := filepath.Join(project, "node_modules/.bin/nsfl")
	works(t, command)
	out, err := sh(t, nil, command, "search", "--demo", "dog AND (")
	if code := exitCode(err); code != 2 || !strings.Contains(out, "nsfl:") {
		t.Errorf("syntax error: got exit code %d: %s", code, out)
	}
	if err := os.RemoveAll(filepath.Join(project, "node_modules/@nsfl-go")); err != nil {
		t.Fatal(err)
	}
	if out, err := sh(t, nil, command, "version"); exitCode(err) != 1 || !strings.Contains(out, "--omit=optional") {
		t.Errorf("without the binary: got error %v, %s", err, out)
	}
}

func exitCode(err error) int {
	if e, ok := err.(*exec.ExitError); ok {
		return e.ExitCode()
	}
	return 0
}
