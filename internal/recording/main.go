// Command recording runs nsfl in a terminal and draws its output: a first session as an
// animated SVG, and single commands as static SVGs. Text stays text, and colours follow
// the reader's light or dark theme.
//
//	go run ./internal/recording -nsfl bin/nsfl -doc doc
//
// It emulates a terminal, and knows nothing about nsfl beyond the command lines.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Size of the terminal.
const (
	columns = 88
	rows    = 30
)

// minute is a first session, in a folder that contains doc.
var minute = []string{
	"nsfl index doc -c notes",
	"nsfl search -c notes -k 3 encoder AND NOT training",
	"nsfl search -c notes -k 3 keys and roles, but not backups",
	"nsfl search -c notes --why server.md keys and roles, but not backups",
}

// stills are single commands by file name.
var stills = map[string]string{
	"search-demo.svg": "nsfl search --demo -k 3 --explain dog AND NOT ball",
}

func main() {
	nsfl := flag.String("nsfl", "bin/nsfl", "the command")
	doc := flag.String("doc", "doc", "the folder that is read, and whose img the files are written to")
	flag.Parse()
	if err := record(context.Background(), *nsfl, *doc); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

// record writes all files.
func record(ctx context.Context, nsfl, doc string) error {
	dir, err := os.MkdirTemp("", "recording-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t, err := newTyped(dir, nsfl, doc)
	if err != nil {
		return err
	}
	var steps []step
	for _, line := range minute {
		s, err := t.run(ctx, line)
		if err != nil {
			return err
		}
		steps = append(steps, s)
	}
	if err := os.WriteFile(filepath.Join(doc, "img", "first-minute.svg"), play(steps), 0o666); err != nil {
		return err
	}
	for name, line := range stills {
		if _, err := t.run(ctx, line); err != nil { // the first run creates the demo
			return err
		}
		s, err := t.run(ctx, line)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(doc, "img", name), still(s), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// typed runs command lines in a folder.
type typed struct {
	dir string
	env []string
}

// newTyped returns a folder in which nsfl is on the path, with the documents to index.
func newTyped(dir, nsfl, doc string) (*typed, error) {
	for name, to := range map[string]string{"bin/nsfl": nsfl, "here/doc": doc} {
		to, err := filepath.Abs(to)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(to); err != nil {
			return nil, err
		}
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, err
		}
		if err := os.Symlink(to, name); err != nil {
			return nil, err
		}
	}
	return &typed{filepath.Join(dir, "here"), []string{
		"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm-256color", "LANG=C.UTF-8",
	}}, nil
}

// step is a command line and its output.
type step struct {
	typed  string
	output []line
	took   time.Duration
}

// run runs a command line in a shell.
func (t *typed) run(ctx context.Context, typed string) (step, error) {
	began := time.Now()
	cmd := exec.CommandContext(ctx, "sh", "-c", typed)
	cmd.Dir, cmd.Env = t.dir, t.env
	output, err := inTerminal(cmd)
	if err != nil {
		return step{}, fmt.Errorf("%s: %w\n%s", typed, err, output)
	}
	return step{typed, show(output), time.Since(began)}, nil
}
