// Command release makes everything that is published of a version, into one folder:
// binaries for all platforms in archives and packages, an image, an installer, a list of
// what is inside and the sums of it all. The same source makes the same bytes.
//
// It knows how packages are written and nothing of what nsfl does.
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
	out := flags.String("out", "dist", "the folder to fill; what is in it goes")
	version := flags.String("version", "", "the version; empty: that of the tag of a clean checkout")
	only := flags.String("only", "", "platforms such as linux/amd64, separated by commas; empty: all")
	python := flags.String("python", "", "a Python with hatchling, for wheels; empty: there are none")
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

// release is one version of one source.
type release struct {
	source, out     string
	version, commit string
	date            time.Time // of the commit, and so of everything
	work            string    // where binaries are put before they are packed
	python          string    // makes wheels; empty: nothing does
}

// make makes all artefacts of the platforms, and says how long each step took.
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

// pack writes what carries one binary.
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

// title names a file of the release.
func (r *release) title(rest ...string) string {
	return strings.Join(append([]string{"nsfl", r.version}, rest...), "-")
}
