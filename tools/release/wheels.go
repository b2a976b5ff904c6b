package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// wheelScript makes a wheel of one binary.
const wheelScript = "clients/python/tools/wheel.py"

// wheels has the Python client's own script make a wheel for each platform.
func (r *release) wheels(ctx context.Context, binaries []binary) error {
	if _, err := os.Stat(filepath.Join(r.source, wheelScript)); errors.Is(err, fs.ErrNotExist) {
		fmt.Println("no wheels: there is no", wheelScript)
		return nil
	}
	environment := []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())}
	for _, b := range binaries {
		if _, err := r.command(ctx, environment, "python3", wheelScript, "--binary", b.path, "--platform", b.dashed(), "--version", r.version, "--out", filepath.Join(r.out, "wheels")); err != nil {
			return err
		}
	}
	return nil
}
