package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// module is a Go module linked into the command on some platform.
type module struct {
	Path, Version, Dir, Sum string
	Main                    bool
}

// modules lists the modules for the given platforms, sorted by path.
func (r *release) modules(ctx context.Context, platforms []platform) ([]module, error) {
	found := map[string]module{}
	for _, p := range platforms {
		out, err := r.command(ctx, []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch}, "go", "list", "-deps", "-json=Module", "./cmd/nsfl")
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(strings.NewReader(out))
		for {
			var of struct{ Module *module }
			if err := d.Decode(&of); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if of.Module != nil && !of.Module.Main {
				found[of.Module.Path] = *of.Module
			}
		}
	}
	var all []module
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// notices returns the licences of everything in the binary, which must be distributed with it.
func (r *release) notices(ctx context.Context) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("Third-party software in the binary, with its licences.\n")
	add := func(title, path string) error {
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, bytes.TrimSpace(text))
		return err
	}
	if err := add("The Go runtime and standard library, "+runtime.Version(), filepath.Join(runtime.GOROOT(), "LICENSE")); err != nil {
		return nil, err
	}
	all, err := r.modules(ctx, allPlatforms)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		names, err := licences(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		for _, name := range names {
			if err := add(fmt.Sprintf("%s %s, %s", m.Path, m.Version, name), filepath.Join(m.Dir, name)); err != nil {
				return nil, err
			}
		}
	}
	err = add("The server's page", filepath.Join(r.source, "server/ui/dist/licenses.txt"))
	return b.Bytes(), err
}

func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && licenceFile.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, errors.New("its folder has no licence")
	}
	return names, nil
}
