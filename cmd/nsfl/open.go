package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

// openHit opens the file of the result at a rank (0: the first) at its best passage.
func openHit(cmd *cobra.Command, c *workspace.Handle, hits []retrieve.Hit, rank int) error {
	if len(hits) == 0 {
		return errors.New("nothing was found, so there is nothing to open")
	}
	at := 0
	if rank != 0 {
		at = slices.IndexFunc(hits, func(h retrieve.Hit) bool { return h.Rank == rank })
	}
	if at < 0 {
		return usageError{fmt.Errorf("there is no result %d to open: --open takes %d to %d", rank, hits[0].Rank, hits[len(hits)-1].Rank)}
	}
	h := &hits[at]
	stored, err := c.Store().Get(cmd.Context(), h.ID, engine.Metadata) // a result may have a part of it
	if err != nil {
		return err
	}
	file, err := workspace.PlaceOf(cmd.Context(), c.Store(), stored.Metadata)
	if err != nil {
		return fmt.Errorf("opening %s: %w", h.ID, err)
	}
	words, err := viewer(file, h.Snippet.Place.Line, runtime.GOOS, os.Getenv)
	if err != nil {
		return err
	}
	fmt.Fprintln(termsafe.Writer(cmd.ErrOrStderr()), "opening", strings.TrimSuffix(file+", "+h.Snippet.Place.String(), ", "))
	// Ctrl-C must not end a pager, which handles it.
	view := exec.CommandContext(context.WithoutCancel(cmd.Context()), words[0], words[1:]...)
	view.Stdin, view.Stdout, view.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := view.Run(); err != nil {
		return fmt.Errorf("opening %s with %s: %w; $VISUAL and $EDITOR name another program", file, words[0], err)
	}
	return nil
}

// viewer returns the program and arguments that show a file at a line: the user's editor or
// pager, or the system's default program. No shell is involved, and the absolute path cannot
// be taken for a flag.
func viewer(file string, line int, system string, env func(string) string) ([]string, error) {
	if !filepath.IsAbs(file) {
		return nil, fmt.Errorf("opening %s: that is no absolute path; index it again", file)
	}
	isDocument := slices.Contains(documents, strings.ToLower(filepath.Ext(file)))
	for _, name := range []string{"VISUAL", "EDITOR", "PAGER"} {
		if words := programOf(env(name)); len(words) > 0 && !isDocument {
			return append(words, atLine(words[0], file, line)...), nil
		}
	}
	switch {
	case system == "darwin" && !isDocument:
		return []string{"open", "-t", file}, nil // as a text, whatever it could be run as
	case system == "darwin":
		return []string{"open", file}, nil
	case system == "windows" && !isDocument:
		return []string{"notepad", file}, nil
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", file}, nil // start is the shell's own
	}
	return []string{"xdg-open", file}, nil
}

// documents lists file types that a text editor cannot show.
var documents = []string{".pdf", ".docx", ".odt", ".epub", ".jpg", ".jpeg", ".png"}

// programOf splits the value of a variable such as $EDITOR; a path may contain blanks.
func programOf(value string) []string {
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	return strings.Fields(value)
}

// Programs that accept a line number, by syntax; others get only the file.
var (
	plusLine  = []string{"vi", "vim", "nvim", "gvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ne", "gedit", "pluma", "xed", "less", "more", "most"}
	colonLine = []string{"hx", "helix", "subl", "zed"}
	gotoLine  = []string{"code", "code-insiders", "codium", "cursor"}
	lineFlag  = []string{"kate", "kwrite"}
)

// atLine returns the arguments with which a program shows a file at a line.
func atLine(program, file string, line int) []string {
	program = strings.TrimSuffix(filepath.Base(program), ".exe")
	number := strconv.Itoa(line)
	switch {
	case line <= 0:
	case slices.Contains(plusLine, program):
		return []string{"+" + number, file}
	case slices.Contains(colonLine, program):
		return []string{file + ":" + number}
	case slices.Contains(gotoLine, program):
		return []string{"--goto", file + ":" + number}
	case slices.Contains(lineFlag, program):
		return []string{"--line", number, file}
	}
	return []string{file}
}
