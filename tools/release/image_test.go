package main

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	layers "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// The tarball is a valid image for Docker.
func TestImage(t *testing.T) {
	r := dist(t)
	path := r.at(r.title("image", here.arch) + ".tar")
	image, err := layers.ImageFromPath(path, nil)
	if err == nil {
		err = validate.Image(image)
	}
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config
	if config.Architecture != here.arch || config.OS != here.os || c.User != "65532:65532" || c.Labels["org.opencontainers.image.version"] != "0.1.0" ||
		!slices.Equal(c.Entrypoint, []string{"/nsfl"}) || !slices.Equal(c.Cmd, []string{"serve"}) || !slices.Equal(c.Healthcheck.Test, []string{"CMD", "/nsfl", "health"}) {
		t.Errorf("unexpected image configuration %+v", config)
	}
	root := t.TempDir()
	if names := unpack(t, image, root); !slices.Equal(names, []string{"data", "nsfl", "tmp"}) {
		t.Errorf("unexpected files in the image: %v", names)
	}
	runs(t, root, c)
}

// unpack extracts an image's files and returns their names.
func unpack(t *testing.T, image v1.Image, root string) (names []string) {
	t.Helper()
	content := mutate.Extract(image)
	defer content.Close()
	for r := tar.NewReader(content); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		at := filepath.Join(root, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.Mkdir(at, 0o777)
		} else {
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(at, data, 0o755)
			}
		}
		if err == nil && os.Geteuid() == 0 {
			err = os.Chown(at, h.Uid, h.Gid)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runs runs the image like a container: with its root, user and environment.
func runs(t *testing.T, root string, c v1.Config) {
	if os.Geteuid() != 0 {
		t.Skip("chroot requires root")
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(c.Entrypoint[0], args...)
		cmd.Env, cmd.Dir = c.Env, c.WorkingDir
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return cmd
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := command(firstSearch...).CombinedOutput(); err != nil || !strings.Contains(string(out), firstFound) {
		t.Fatalf("the first search: %v\n%s", err, out)
	}
	if out, err := command(c.Cmd...).CombinedOutput(); err == nil || !strings.Contains(string(out), "Create a key") {
		t.Errorf("without keys: got error %v\n%s", err, out)
	}

	serve := command(append(c.Cmd, "--demo", "--log", "off")...)
	serve.Env = append(serve.Env, "NSFL_LISTEN=127.0.0.1:0")
	address := started(t, serve)
	healthy := func() error {
		check := command(c.Healthcheck.Test[2:]...)
		check.Env = append(check.Env, "NSFL_LISTEN="+address)
		return check.Run()
	}
	if err := healthy(); err != nil {
		t.Errorf("ready server: got error %v", err)
	}
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("stopped server: got error %v", err)
	}
	if healthy() == nil {
		t.Error("a stopped server is healthy")
	}
}
