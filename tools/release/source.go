package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// versions are those that npm, pip and dpkg can all be told.
var versions = regexp.MustCompile(`^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// newRelease asks the repository what the release is of. A version that is given is
// believed; otherwise it is the tag's, and the checkout has to be what was tagged.
func newRelease(ctx context.Context, source, out, version string) (*release, error) {
	source, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	r := &release{source: source, out: out, version: version}
	head, err := r.command(ctx, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	var seconds int64
	if _, err := fmt.Sscan(head, &r.commit, &seconds); err != nil {
		return nil, fmt.Errorf("reading the last commit: %w", err)
	}
	r.date = time.Unix(seconds, 0).UTC()
	if version == "" {
		if r.version, err = r.tagged(ctx); err != nil {
			return nil, err
		}
	}
	if !versions.MatchString(r.version) {
		return nil, fmt.Errorf("%q is no version that all packages can have; 0.1.0 and 0.1.0-rc.1 are", r.version)
	}
	return r, nil
}

func (r *release) tagged(ctx context.Context) (string, error) {
	tag, err := r.command(ctx, nil, "git", "describe", "--tags", "--exact-match", "--match", "v*")
	if err != nil {
		return "", errors.New("the commit has no tag; make one with git tag v0.1.0, or name a version: make release VERSION=0.1.0")
	}
	changed, err := r.command(ctx, nil, "git", "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changed != "" {
		return "", fmt.Errorf("the checkout is not what was tagged; commit or remove\n%s", changed)
	}
	return strings.TrimPrefix(strings.TrimSpace(tag), "v"), nil
}

// command runs a program in the checkout and returns what it prints.
func (r *release) command(ctx context.Context, environment []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = r.source, append(clean(os.Environ()), environment...), &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// clean leaves out what somebody has told their own nsfl.
func clean(environment []string) []string {
	return slices.DeleteFunc(environment, func(v string) bool { return strings.HasPrefix(v, "NSFL_") })
}

// read reads a file of the checkout.
func (r *release) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.source, filepath.FromSlash(name)))
}
