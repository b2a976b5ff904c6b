package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/spelling"
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// args is cobra.RangeArgs with a message that names what was expected.
func args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > most && cmd.HasAvailableSubCommands():
			return unknownCommand(cmd, args)
		case len(args) < least || len(args) > most:
			return usageError{fmt.Errorf("%s takes %s. See nsfl help %s", cmd.Name(), what, cmd.Name())}
		}
		return nil
	}
}

// unknownCommand returns an error that suggests or lists subcommands.
func unknownCommand(cmd *cobra.Command, args []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	text := fmt.Sprintf("%s has no command %q", cmd.CommandPath(), args[0])
	meant := spelling.Meant(args[0], names)
	switch {
	case meant != "":
		text += "; " + meant
	case !cmd.HasParent() && strings.Contains(strings.Join(args, " "), " "):
		text += fmt.Sprintf("; to search: nsfl search -c DIR %s", strings.Join(args, " "))
	case !cmd.HasParent():
		text += "; nsfl help lists those there are"
	default:
		text += "; it has " + strings.Join(names, ", ")
	}
	return usageError{errors.New(text)}
}

// valueError returns the error for a value that a flag does not take, without the name of a
// function.
func valueError(f *pflag.Flag, value string, err error) error {
	switch f.Value.Type() {
	case "int":
		return fmt.Errorf("%q is not a whole number", value)
	case "duration":
		return fmt.Errorf("%q is not a duration such as 30s or 2m", value)
	case "bool":
		return fmt.Errorf("%q is not true or false", value)
	}
	return err
}

// flagError adds a suggestion to the error for an unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usageError{fmt.Errorf("--%s: %w", invalid.GetFlag().Name, valueError(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap()))}
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError{err}
	}
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return usageError{fmt.Errorf("%s has no flag -%s; before a text that begins with a dash write --. See nsfl help %s", cmd.Name(), short, cmd.Name())}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	words := spelling.Words(unknown.GetSpecifiedName(), names)
	for i := range words {
		words[i] = "--" + words[i]
	}
	text := fmt.Sprintf("%s has no flag --%s", cmd.Name(), unknown.GetSpecifiedName())
	if meant := spelling.Ask(words); meant != "" {
		return usageError{errors.New(text + "; " + meant)}
	}
	return usageError{fmt.Errorf("%s. See nsfl help %s", text, cmd.Name())}
}
