package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// wheels runs the Python client's own script to build a wheel for each platform.
func (r *release) wheels(ctx context.Context, binaries []binary) error {
	if r.python == "" {
		fmt.Println("no wheels: no Python was given")
		return nil
	}
	args := []string{"clients/python/tools/make_wheels.py", "--version", r.wheelVersion(), "--out", filepath.Join(r.out, "wheels")}
	for _, b := range binaries {
		args = append(args, b.dashed()+"="+b.path)
	}
	_, err := r.command(ctx, []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())}, r.python, args...)
	return err
}

// wheelVersion returns the version in pip's format: 0.1.0-rc.1 is 0.1.0rc1.
func (r *release) wheelVersion() string {
	return strings.NewReplacer("-alpha.", "a", "-beta.", "b", "-rc.", "rc").Replace(r.version)
}
