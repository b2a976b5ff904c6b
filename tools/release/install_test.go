package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstaller(t *testing.T) {
	need(t, "curl")
	r := dist(t)
	broken := false
	files := http.FileServer(http.Dir(r.out))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if broken {
			w.Write([]byte("something else"))
			return
		}
		files.ServeHTTP(w, q)
	}))
	defer s.Close()
	home := t.TempDir()
	install := func(environment ...string) (string, error) {
		return sh(t, append([]string{"HOME=" + home, "NSFL_DOWNLOADS=" + s.URL}, environment...), "sh", r.at("install.sh"))
	}

	prefix := filepath.Join(home, "a prefix")
	broken = true
	if out, err := install("PREFIX=" + prefix); err == nil || !strings.Contains(out, "not the released file") {
		t.Errorf("wrong checksum: got error %v\n%s", err, out)
	}
	if _, err := os.Stat(prefix); err == nil {
		t.Error("a file with a wrong checksum was installed")
	}

	broken = false
	for range 2 { // the second time over the first installation
		if out, err := install("PREFIX=" + prefix); err != nil || !strings.Contains(out, "is not in PATH") {
			t.Fatalf("got error %v, want a note about PATH\n%s", err, out)
		}
	}
	works(t, filepath.Join(prefix, "bin/nsfl"))
	for _, name := range []string{"share/man/man1/nsfl-search.1", "share/bash-completion/completions/nsfl", "share/zsh/site-functions/_nsfl", "share/fish/vendor_completions.d/nsfl.fish"} {
		if _, err := os.Stat(filepath.Join(prefix, name)); err != nil {
			t.Error(err)
		}
	}
	if out, err := install("PATH=" + filepath.Join(home, ".local/bin") + ":" + os.Getenv("PATH")); err != nil || strings.Contains(out, "is not in PATH") {
		t.Errorf("default prefix: got error %v\n%s", err, out)
	}
	works(t, filepath.Join(home, ".local/bin/nsfl"))

	for machine, want := range map[string]string{"SunOS": "no archive for SunOS", "riscv64": "processor type riscv64"} {
		dir := t.TempDir()
		uname := "#!/bin/sh\ncase $1 in -s) echo Linux ;; -m) echo riscv64 ;; esac\n"
		if machine == "SunOS" {
			uname = "#!/bin/sh\necho SunOS\n"
		}
		if err := os.WriteFile(filepath.Join(dir, "uname"), []byte(uname), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := install("PATH="+dir+":"+os.Getenv("PATH"), "PREFIX="+dir); err == nil || !strings.Contains(out, want) {
			t.Errorf("on %s: got error %v\n%s", machine, err, out)
		}
	}
	s.Close()
	if out, err := install(); err == nil || !strings.Contains(out, "could not be downloaded") {
		t.Errorf("nothing to download: got error %v\n%s", err, out)
	}
}

// The scripts of the installer and of the Debian package pass shellcheck.
func TestShellcheck(t *testing.T) {
	needPython(t)
	scripts := []string{dist(t).at("install.sh")}
	for _, name := range []string{"files/postinst", "files/prerm", "files/postrm", "tryout.sh"} {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, path)
	}
	must(t, nil, filepath.Join(packages, "bin/shellcheck"), append([]string{"--enable=all", "--exclude=SC2310,SC2311,SC2312,SC2250"}, scripts...)...)
}
