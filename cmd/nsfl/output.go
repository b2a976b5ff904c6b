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

// addJSON adds the flag that answer goes by.
func addJSON(f *pflag.FlagSet) { f.Bool("json", false, "write JSON") }

// addQuiet adds the flag that newBar goes by.
func addQuiet(f *pflag.FlagSet) { f.Bool("quiet", false, "show no progress") }

// isOn reports whether a command has a switch that is on.
func isOn(cmd *cobra.Command, name string) bool {
	on, err := cmd.Flags().GetBool(name)
	return err == nil && on
}

// answer writes v as JSON where --json is given, and what print has for a person
// otherwise, as plain text: names in it are those of others.
func answer(cmd *cobra.Command, v any, print func(w io.Writer)) error {
	if isOn(cmd, "json") {
		return writeJSON(cmd.OutOrStdout(), v)
	}
	f := &folder{terminal: newTerminal(cmd.OutOrStdout(), "never")}
	f.Writer = termsafe.Writer(f.Writer)
	print(f)
	return f.Close()
}

// say is answer for one line.
func say(cmd *cobra.Command, v any, format string, args ...any) error {
	return answer(cmd, v, func(w io.Writer) { fmt.Fprintf(w, format+"\n", args...) })
}

// writeJSON writes v as people and programs read it.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(termsafe.JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeTo writes to a file when all of it is there, or to standard output, which is -
// or no name at all.
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
func newBar(cmd *cobra.Command, title string, total int64, unit progress.Unit) *progress.Bar {
	w := cmd.ErrOrStderr()
	return progress.New(w, progress.Options{
		Title: title, Total: total, Unit: unit, Terminal: progress.IsTerminal(w), Quiet: isOn(cmd, "quiet") || isOn(cmd, "json"),
	})
}
