package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gomod "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// go install downloads the module from a proxy, builds the command, and it knows its version.
func TestGoInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command once more")
	}
	source, proxy, home := checkout(t), t.TempDir(), t.TempDir()
	const path, version = "github.com/nsfl-go/nsfl", "v0.1.0"
	at := filepath.Join(proxy, path, "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if err := zip.CreateFromDir(packed, gomod.Version{Path: path, Version: version}, source); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		version + ".mod": string(mod), version + ".info": `{"Version": "` + version + `"}`, "list": version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The module cache serves as a proxy for most other modules.
	fetched, usual, _ := strings.Cut(strings.TrimSpace(must(t, nil, "go", "env", "GOMODCACHE", "GOPROXY")), "\n")
	must(t, []string{
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(fetched, "cache/download") + "," + usual, "GOSUMDB=off", "CGO_ENABLED=0",
		"GOMODCACHE=" + filepath.Join(home, "modules"), "GOBIN=" + filepath.Join(home, "bin"), "GOFLAGS=-trimpath -modcacherw",
	}, "go", "install", path+"/cmd/nsfl@latest")
	works(t, filepath.Join(home, "bin/nsfl"))
}
