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

// versions matches versions that npm, pip and dpkg all accept.
var versions = regexp.MustCompile(`^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// newRelease describes the release of a repository. A given version is trusted; otherwise it
// is the tag's, and the checkout must match the tag.
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
		return nil, fmt.Errorf("%q is not a valid version for all packages; use a form such as 0.1.0 or 0.1.0-rc.1", r.version)
	}
	return r, nil
}

func (r *release) tagged(ctx context.Context) (string, error) {
	tag, err := r.command(ctx, nil, "git", "describe", "--tags", "--exact-match", "--match", "v*")
	if err != nil {
		return "", errors.New("the commit has no tag; create one with git tag v0.1.0, or give a version: make release VERSION=0.1.0")
	}
	changed, err := r.command(ctx, nil, "git", "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changed != "" {
		return "", fmt.Errorf("the checkout differs from the tag; commit or remove\n%s", changed)
	}
	return strings.TrimPrefix(strings.TrimSpace(tag), "v"), nil
}

// command runs a program in the checkout and returns its output.
func (r *release) command(ctx context.Context, environment []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = r.source, append(clean(os.Environ()), environment...), &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// clean removes the user's own nsfl settings from the environment.
func clean(environment []string) []string {
	return slices.DeleteFunc(environment, func(v string) bool { return strings.HasPrefix(v, "NSFL_") })
}

func (r *release) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.source, filepath.FromSlash(name)))
}
