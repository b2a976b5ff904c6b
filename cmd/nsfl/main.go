// Command nsfl is Boolean search over embeddings from a shell. Every verb has
// a file of its own; what they do is in the library.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/screen"
	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/query"
)

// exitOK and the others are exit codes, which are part of the interface.
const (
	exitOK     = 0
	exitFailed = 1 // the work could not be done
	exitUsage  = 2 // the command or the query is not understood
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main without the process, for tests.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "nsfl",
		Short: "Boolean search over embeddings that works",
		Long: `Boolean search over embeddings that works: AND, OR and NOT for any encoder and any
vector engine. nsfl help COMMAND teaches each command by examples.`,
		Example: `  nsfl search --demo 'dog AND NOT ball'
  nsfl index ~/notes -c notes
  nsfl search -c notes --explain 'backup AND NOT database'
  nsfl serve --demo`,
		Version:       version.This().String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; nsfl help lists those there are", args[0])}
			}
			return cmd.Help()
		},
	}
	root.SetArgs(joinPlain(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		searchCommand(), indexCommand(), importCommand(), exportCommand(), copyCommand(), deleteCommand(),
		infoCommand(), verifyCommand(), repairCommand(), compactCommand(), backupCommand(), restoreCommand(),
		vectorCommand(), compileCommand(), encodeCommand(), planCommand(), scoreCommand(), modelCommand(), evalCommand(), tuneCommand(), auditCommand(),
		serveCommand(), mcpCommand(), healthCommand(), versionCommand(), manCommand(),
	)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(screen.Writer(stderr), "nsfl:", err)
	var usage usageError
	var syntax *query.SyntaxError
	if errors.As(err, &usage) || errors.As(err, &syntax) {
		return exitUsage
	}
	return exitFailed
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// args is cobra.RangeArgs with a message that says what was expected.
func args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{fmt.Errorf("%s takes %s; quote a formula so that the shell passes it as one word. See nsfl help %s", cmd.Name(), what, cmd.Name())}
		}
		return nil
	}
}
