package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// addJSON adds the flag --json, for answer.
func addJSON(f *pflag.FlagSet) { f.Bool("json", false, "write JSON") }

// addQuiet adds the flag --quiet, for newBar.
func addQuiet(f *pflag.FlagSet) { f.Bool("quiet", false, "do not show progress") }

// isOn reports whether a Boolean flag is set.
func isOn(cmd *cobra.Command, name string) bool {
	on, err := cmd.Flags().GetBool(name)
	return err == nil && on
}

// answer writes v as JSON with --json, and otherwise calls print with a writer that removes
// terminal control characters.
func answer(cmd *cobra.Command, v any, print func(w io.Writer)) error {
	if isOn(cmd, "json") {
		return writeJSON(cmd.OutOrStdout(), v)
	}
	f := &folder{terminal: newTerminal(cmd.OutOrStdout(), "never")}
	f.Writer = termsafe.Writer(f.Writer)
	print(f)
	return f.Close()
}

// say is answer with one formatted line.
func say(cmd *cobra.Command, v any, format string, args ...any) error {
	return answer(cmd, v, func(w io.Writer) { fmt.Fprintf(w, format+"\n", args...) })
}

// writeJSON writes v as indented JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(termsafe.JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeTo writes to a file, which appears when it is complete, or to standard output if path
// is - or empty.
func writeTo(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	if path == "-" || path == "" {
		return write(cmd.OutOrStdout())
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// newBar shows progress on standard error, unless --quiet or --json is given.
func newBar(cmd *cobra.Command, title string, total int64, unit string) *progress.Bar {
	w := cmd.ErrOrStderr()
	return progress.New(w, progress.Options{
		Title: title, Total: total, Unit: unit, Terminal: progress.IsTerminal(w), Quiet: isOn(cmd, "quiet") || isOn(cmd, "json"),
	})
}
