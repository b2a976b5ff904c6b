//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// indexing indexes a real folder with binaries in turn: Go's own documentation, and what the
// modules in Go's cache say of themselves.
func indexing(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("indexing", flag.ContinueOnError)
	most := flags.Int("files", 3000, "the most files to take")
	rounds := flags.Int("rounds", 1, "how often each binary takes its turn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	binaries := flags.Args()
	if len(binaries) == 0 {
		return errors.New("name one binary or more, the first being what the others are compared with: go run ./bench indexing OLD NEW")
	}
	work, err := os.MkdirTemp("", "nsfl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	folder := filepath.Join(work, "folder")
	files, size, err := realFolder(folder, *most)
	if err != nil {
		return err
	}
	fmt.Printf("%d files, %.1f MB\n", files, float64(size)/1e6)
	best := make([]indexRun, len(binaries))
	for range *rounds {
		for i, binary := range binaries {
			r, err := indexOnce(ctx, binary, folder, filepath.Join(work, "collection"))
			if err != nil {
				return fmt.Errorf("%s: %w", binary, err)
			}
			if best[i].Documents == 0 || r.wall < best[i].wall {
				best[i] = r
			}
		}
	}
	head(os.Stdout, "binary", "documents", "seconds", "documents/s", "times the first", "processor, s", "memory, MB")
	for i, r := range best {
		fmt.Printf("| %s | %d | %.1f | %.1f | %.2f | %.1f | %.0f |\n", filepath.Base(binaries[i]), r.Documents, r.wall.Seconds(), r.rate(),
			r.rate()/best[0].rate(), r.processor.Seconds(), float64(r.memory)/1e6)
	}
	fmt.Printf("\nThe best of %d turns each; load of the machine %.1f.\n", *rounds, loadAverage())
	return nil
}

// indexRun is one run of nsfl index.
type indexRun struct {
	Documents       int `json:"documents"`
	wall, processor time.Duration
	memory          int64 // the most it had, in bytes
}

func (r *indexRun) rate() float64 { return float64(r.Documents) / r.wall.Seconds() }

func indexOnce(ctx context.Context, binary, folder, collection string) (r indexRun, err error) {
	defer os.RemoveAll(collection)
	cmd := exec.CommandContext(ctx, binary, "index", folder, "-c", collection, "--quiet", "--json")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return r, fmt.Errorf("%w: %s", err, problems.String())
	}
	r.wall, r.processor = time.Since(began), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = usage.Maxrss << 10
	}
	return r, json.Unmarshal(out.Bytes(), &r)
}

// realFolder gathers texts under names that tell where they came from.
func realFolder(to string, most int) (files int, size int64, err error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return 0, 0, err
	}
	roots := strings.Fields(string(out))
	wanted := func(root, name string) bool {
		name = strings.ToLower(name)
		return strings.HasPrefix(name, "readme") || root == roots[0] && (strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".html"))
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || files == most || !wanted(root, filepath.Base(path)) {
				return nil //nolint:nilerr // what cannot be read is left out
			}
			relative, err := filepath.Rel(root, path)
			if err != nil || strings.Contains(relative, "testdata") {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil || len(content) == 0 || len(content) > 1<<20 {
				return nil //nolint:nilerr // as above
			}
			place := filepath.Join(to, filepath.Base(root), relative)
			if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
				return err
			}
			files, size = files+1, size+int64(len(content))
			return os.WriteFile(place, content, 0o666)
		})
		if err != nil {
			return 0, 0, err
		}
	}
	return files, size, nil
}
