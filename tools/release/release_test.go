package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// The packages of this machine's platform are built once for all tests.
var (
	folder string // shared by all tests
	made   = sync.OnceValues(func() (*release, error) {
		if runtime.GOOS != "linux" {
			return nil, errors.New("packages are tested on Linux")
		}
		r, err := newRelease(context.Background(), "../..", filepath.Join(folder, "dist"), "0.1.0")
		if err != nil {
			return nil, err
		}
		if os.Getenv("PYTHONPATH") != "" {
			r.python = "python3"
		}
		return r, r.make(context.Background(), []platform{here})
	})
	here = platform{runtime.GOOS, runtime.GOARCH}

	packages string // Python packages installed by make setup
)

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "release-test-"); err != nil {
		panic(err)
	}
	if packages, err = filepath.Abs("../../.cache/release"); err != nil {
		panic(err)
	}
	os.Unsetenv("PYTHONPATH")
	if _, err := os.Stat(filepath.Join(packages, "made")); err == nil {
		os.Setenv("PYTHONPATH", packages)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// dist returns the release.
func dist(t *testing.T) *release {
	t.Helper()
	r, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at returns the path of a file of the release.
func (r *release) at(name string) string { return filepath.Join(r.out, filepath.FromSlash(name)) }

// sh runs a command and returns its output.
func sh(t *testing.T, environment []string, name string, args ...string) (string, error) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = t.TempDir()
	c.Env = append(clean(os.Environ()), append([]string{"NSFL_CACHE=off"}, environment...)...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// must runs a command that must succeed.
func must(t *testing.T, environment []string, name string, args ...string) string {
	t.Helper()
	out, err := sh(t, environment, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// works runs a first search with a command, and checks its version.
func works(t *testing.T, command string) {
	t.Helper()
	if out := must(t, nil, command, "--version"); !strings.HasPrefix(out, "nsfl version 0.1.0, "+here.String()) {
		t.Errorf("unexpected version: %s", out)
	}
	if out := must(t, nil, command, firstSearch...); !strings.Contains(out, firstFound) {
		t.Errorf("unexpected result of the first search:\n%s", out)
	}
}

var firstSearch = []string{"search", "--demo", "-k", "3", "dog AND NOT ball"}

const firstFound = "A Dog Named Subpoena"

// need skips a test if a program is missing.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed", program)
	}
	return path
}

func TestVersions(t *testing.T) {
	for version, good := range map[string]bool{
		"0.1.0": true, "10.20.30": true, "0.1.0-rc.1": true, "v0.1.0": false, "0.1": false, "0.1.0-dirty": false, "": false,
	} {
		if versions.MatchString(version) != good {
			t.Errorf("%q: got valid %v", version, !good)
		}
	}
	early := &release{version: "0.1.0-rc.1"}
	if got := early.debVersion(); got != "0.1.0~rc.1" {
		t.Errorf("got prerelease version %s for dpkg", got)
	}
	if got := early.wheelVersion(); got != "0.1.0rc1" {
		t.Errorf("got prerelease version %s for pip", got)
	}
	if _, err := choose("linux/amd64,plan9/386"); err == nil {
		t.Error("an unknown platform was accepted")
	}
}

func TestArchive(t *testing.T) {
	r, dir := dist(t), t.TempDir()
	must(t, nil, "tar", "-xzf", r.at(r.archiveName(here)), "-C", dir)
	top := filepath.Join(dir, r.title(here.dashed()))
	works(t, filepath.Join(top, "nsfl"))
	for _, name := range []string{
		"LICENSE", "NOTICES.txt", "man/man1/nsfl.1", "man/man1/nsfl-search.1", "systemd/nsfl.service",
		"completions/nsfl.bash", "completions/_nsfl", "completions/nsfl.fish", "completions/nsfl.ps1",
	} {
		if info, err := os.Stat(filepath.Join(top, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	must(t, nil, "bash", "-n", filepath.Join(top, "completions/nsfl.bash"))
}

func TestSums(t *testing.T) {
	r := dist(t)
	c := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	c.Dir = r.out
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("sha256sum: got error %v\n%s", err, out)
	}
	for _, name := range []string{"install.sh", "nsfl.rb", "npm/nsfl-0.1.0.tgz", r.archiveName(here), r.title() + ".cdx.json"} {
		if !strings.Contains(string(out), name+": OK") {
			t.Errorf("%s has no checksum:\n%s", name, out)
		}
	}
}
