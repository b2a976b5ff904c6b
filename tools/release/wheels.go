package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// wheelScript makes wheels of binaries.
const wheelScript = "clients/python/tools/make_wheels.py"

// wheels has the Python client's own script make a wheel for each platform.
func (r *release) wheels(ctx context.Context, binaries []binary) error {
	if _, err := os.Stat(filepath.Join(r.source, wheelScript)); r.python == "" || errors.Is(err, fs.ErrNotExist) {
		fmt.Println("there are no wheels: no Python was named, or the source has none")
		return nil
	}
	args := []string{wheelScript, "--out", filepath.Join(r.out, "wheels")}
	for _, b := range binaries {
		args = append(args, b.dashed()+"="+b.path)
	}
	made, err := r.command(ctx, []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())}, r.python, args...)
	if err != nil {
		return err
	}
	prefix := "nsfl-" + r.wheelVersion() + "-"
	for _, path := range strings.Fields(made) {
		if !strings.HasPrefix(filepath.Base(path), prefix) {
			return fmt.Errorf("the wheel is %s and has to begin with %s: set the version in clients/python/pyproject.toml", filepath.Base(path), prefix)
		}
	}
	return nil
}

// wheelVersion is the version in the words of pip: 0.1.0-rc.1 is 0.1.0rc1.
func (r *release) wheelVersion() string {
	return strings.NewReplacer("-alpha.", "a", "-beta.", "b", "-rc.", "rc").Replace(r.version)
}
