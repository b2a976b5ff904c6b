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

// openHit opens the file of the result of a rank, or of the first where that is 0, where its
// best passage begins.
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
	// A pager has a use of its own for ctrl-C, which must not end it.
	view := exec.CommandContext(context.WithoutCancel(cmd.Context()), words[0], words[1:]...)
	view.Stdin, view.Stdout, view.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := view.Run(); err != nil {
		return fmt.Errorf("opening %s with %s: %w; $VISUAL and $EDITOR name another program", file, words[0], err)
	}
	return nil
}

// viewer is the program that shows a file from a line on, with its arguments: what the user
// edits or pages texts with, or what the system opens files with. No shell reads them, and
// the file's path is absolute, so that it is no flag.
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

// documents are what no editor of texts shows.
var documents = []string{".pdf", ".docx", ".odt", ".epub", ".jpg", ".jpeg", ".png"}

// programOf is a program with its arguments, as a variable names it; a path may have blanks.
func programOf(value string) []string {
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	return strings.Fields(value)
}

// How programs are told of a line; others are given the file alone.
var (
	plusLine  = []string{"vi", "vim", "nvim", "gvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ne", "gedit", "pluma", "xed", "less", "more", "most"}
	colonLine = []string{"hx", "helix", "subl", "zed"}
	gotoLine  = []string{"code", "code-insiders", "codium", "cursor"}
	lineFlag  = []string{"kate", "kwrite"}
)

// atLine are the arguments by which a program shows a file from a line on.
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
