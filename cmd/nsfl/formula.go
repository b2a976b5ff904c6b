package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/query"
)

// standardInput is the argument that stands for standard input.
const standardInput = "-"

// formulaArgs accepts a formula as one argument or as several, which are joined. The shell
// removes quotes, so none of several arguments may need them.
func formulaArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{fmt.Errorf("%s takes a formula, such as 'dog AND NOT ball', or - to read it from standard input. See nsfl help %s", cmd.Name(), cmd.Name())}
	}
	for _, word := range args {
		if len(args) > 1 && strings.ContainsAny(word, " \t\n") && !isPlain(word) {
			return usageError{fmt.Errorf("the shell removed the quotes of %q; quote the whole formula", word)}
		}
	}
	return nil
}

// isPlain reports whether a text is one atom with or without quotes.
func isPlain(text string) bool {
	n, err := query.Parse(text)
	if err != nil {
		return false
	}
	a, ok := n.(*query.Atom)
	return ok && a.Kind == query.Text && a.Weight == 0
}

// withFormula returns the RunE of a command that takes a formula, from the arguments or standard
// input.
func withFormula(run func(cmd *cobra.Command, formula string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] != standardInput {
			return run(cmd, strings.Join(args, " "))
		}
		const most = 1 << 20 // the parser reports its own, smaller limit
		text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), most))
		if err != nil {
			return fmt.Errorf("reading the formula from standard input: %w", err)
		}
		return run(cmd, strings.TrimSpace(string(text)))
	}
}

// linesOf returns the arguments or, if they are a dash, the lines of standard input that are
// not empty.
func linesOf(cmd *cobra.Command, args []string) (lines []string, err error) {
	if len(args) != 1 || args[0] != standardInput {
		return args, nil
	}
	text, err := io.ReadAll(cmd.InOrStdin())
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return nil, usageError{fmt.Errorf("standard input has no lines for %s", cmd.Name())}
	}
	return lines, nil
}
