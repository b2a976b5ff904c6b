package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The package is installed into its own root, changed, removed and purged. Files written by
// hand stay until the purge, collections forever.
func TestDeb(t *testing.T) {
	need(t, "dpkg")
	r, root := dist(t), t.TempDir()
	for _, folder := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/nsfl/collections/notes", "var/log"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dpkg := func(args ...string) string {
		t.Helper()
		all := append([]string{"dpkg", "--root=" + root, "--force-script-chrootless", "--log=/dev/null"}, args...)
		if os.Geteuid() != 0 {
			all = append([]string{need(t, "fakeroot")}, append(all, "--force-not-root")...)
		}
		return must(t, nil, all[0], all[1:]...)
	}
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(root, name))
		return err == nil
	}

	dpkg("--install", r.at(fmt.Sprintf("nsfl_0.1.0_%s.deb", here.arch)))
	works(t, filepath.Join(root, "usr/bin/nsfl"))
	if out := dpkg("--verify", "nsfl"); out != "" {
		t.Errorf("files differ from their checksums: %s", out)
	}
	for _, name := range []string{
		"usr/share/man/man1/nsfl-search.1.gz", "usr/share/doc/nsfl/copyright", "usr/share/doc/nsfl/NOTICES.txt.gz",
		"usr/share/bash-completion/completions/nsfl", "usr/share/zsh/vendor-completions/_nsfl", "usr/share/fish/vendor_completions.d/nsfl.fish",
	} {
		if !has(name) {
			t.Errorf("%s is missing", name)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "etc/nsfl"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "etc/nsfl/environment"), []byte("NSFL_KEYS=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dpkg("--remove", "nsfl")
	if has("usr/bin/nsfl") || has("usr/share/doc/nsfl") || !has("etc/nsfl/environment") {
		t.Error("removal kept the command, or removed the configuration")
	}
	dpkg("--purge", "nsfl")
	if has("etc/nsfl") || !has("var/lib/nsfl/collections/notes") {
		t.Error("purging kept the configuration, or removed collections")
	}
}

// The unit is valid, and restricts the server's permissions.
func TestService(t *testing.T) {
	need(t, "systemd-analyze")
	command := filepath.Join(t.TempDir(), "nsfl")
	if err := os.WriteFile(command, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("files/nsfl.service")
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "nsfl.service")
	if err := os.WriteFile(unit, []byte(strings.Replace(string(text), "/usr/bin/nsfl", command, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := must(t, nil, "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit); out != "" {
		t.Errorf("systemd-analyze verify: %s", out)
	}
	// Exposure from 0 to 10, here in tenths; sshd has 9.6.
	if out, err := sh(t, nil, "systemd-analyze", "security", "--offline=true", "--threshold=20", unit); err != nil {
		t.Errorf("systemd-analyze security: got error %v\n%s", err, out)
	}
}
