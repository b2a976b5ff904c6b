// Command release builds all artefacts of a version into one folder: binaries for all
// platforms in archives and packages, an image, an installer, an SBOM and checksums. The
// same source gives the same bytes.
//
// It knows how packages are written, but nothing about what nsfl does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	source := flags.String("source", ".", "the checkout")
	out := flags.String("out", "dist", "output folder; its contents are replaced")
	version := flags.String("version", "", "version; default: the tag of a clean checkout")
	only := flags.String("only", "", "platforms such as linux/amd64, separated by commas; default: all")
	python := flags.String("python", "", "Python with hatchling, to build wheels; default: no wheels")
	if err := flags.Parse(args); err != nil {
		return err
	}
	platforms, err := choose(*only)
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, *source, *out, *version)
	if err != nil {
		return err
	}
	r.python = *python
	return r.make(ctx, platforms)
}

// release is a release of one version of the source.
type release struct {
	source, out     string
	version, commit string
	date            time.Time // date of the commit, used for all files
	work            string    // folder for binaries before packing
	python          string    // builds wheels; empty for no wheels
}

// make builds all artefacts for the platforms, and prints the duration of each step.
func (r *release) make(ctx context.Context, platforms []platform) error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	var err error
	if r.work, err = os.MkdirTemp("", "release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	begun := time.Now()
	done := func(what string) {
		fmt.Printf("%-28s %6.1f s\n", what, time.Since(begun).Seconds())
		begun = time.Now()
	}
	docs, err := r.documents(ctx)
	if err != nil {
		return err
	}
	done("man pages, licences")
	var binaries []binary
	for _, p := range platforms {
		b, err := r.build(ctx, p)
		if err != nil {
			return err
		}
		binaries = append(binaries, b)
		done("binary " + p.String())
		if err := r.pack(b, docs); err != nil {
			return fmt.Errorf("packing %s: %w", p, err)
		}
		done("packages " + p.String())
	}
	for _, step := range []struct {
		what string
		make func(context.Context, []binary) error
	}{{"npm's launcher", r.npm}, {"formula", r.formula}, {"installer", r.installer}, {"SBOM", r.sbom}, {"wheels", r.wheels}} {
		if err := step.make(ctx, binaries); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
		done(step.what)
	}
	return r.sum()
}

// pack writes the artefacts for one binary.
func (r *release) pack(b binary, docs *documents) error {
	steps := []func(binary, *documents) error{r.archive, r.npmBinary}
	if b.os == "linux" {
		steps = append(steps, r.deb, r.image)
	}
	for _, step := range steps {
		if err := step(b, docs); err != nil {
			return err
		}
	}
	return nil
}

// title returns the name of a file of the release.
func (r *release) title(rest ...string) string {
	return strings.Join(append([]string{"nsfl", r.version}, rest...), "-")
}
