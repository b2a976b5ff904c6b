// Command nsfl is Boolean search over embeddings from a shell. Each subcommand has its own
// file; the work is done by the library.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/query"
)

// exitOK and the others are exit codes, which are part of the interface.
const (
	exitOK     = 0
	exitFailed = 1 // the command failed
	exitUsage  = 2 // the command or the query was not understood
)

// Help lists commands in the order in which they are added.
func init() { cobra.EnableCommandSorting = false }

func main() {
	if len(os.Args) == 2 && os.Args[1] == ingest.ChildArgument {
		os.Exit(ingest.Child())
	}
	uploadParser = parserCommand()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// uploadParser is the command with which the server parses uploads. Tests, which are another
// program, have none.
var uploadParser []string

// parserCommand returns this program as uploadParser where its memory can be limited.
func parserCommand() []string {
	self, err := os.Executable()
	switch {
	case runtime.GOOS == "windows" || err != nil:
		return nil
	case runtime.GOOS == "linux":
		self = "/proc/self/exe" // also after an upgrade has replaced the file
	}
	return []string{self, ingest.ChildArgument}
}

// run is main without the process, for tests.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(append([]string{}, args...)) // for nil, cobra would take those of the process
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	printError(stderr, err)
	var usage usageError
	var syntax *query.SyntaxError
	if errors.As(err, &usage) || errors.As(err, &syntax) {
		return exitUsage
	}
	return exitFailed
}

// printError prints an error, wrapped to the width of the terminal.
func printError(w io.Writer, err error) {
	f := &folder{terminal: newTerminal(w, "never")}
	f.Writer = termsafe.Writer(f.Writer)
	fmt.Fprintln(f, "nsfl:", err)
}

// rootCommand returns nsfl with all its subcommands.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "nsfl",
		Short: "Boolean search over embeddings that works",
		Long: `Boolean search over embeddings that works: AND, OR and NOT for any encoder and any
vector engine. nsfl help COMMAND describes a command.`,
		Example: `  nsfl search --demo 'dog AND NOT ball'
  nsfl index ~/notes -c notes
  nsfl search -c notes 'backup AND NOT database'
  nsfl serve --demo`,
		Version:       version.This().String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			_, err := io.WriteString(cmd.OutOrStdout(), firstSteps)
			return err
		},
	}
	b := version.This()
	root.SetVersionTemplate(strings.TrimRight(fmt.Sprintf("nsfl version %s, %s, %s %s", b.Version, b.Platform, b.Go, b.Short()), " ") + "\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(help)
	root.SetHelpCommand(helpCommand())
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Getting started", []*cobra.Command{searchCommand(), indexCommand(), infoCommand(), serveCommand(), mcpCommand(), screenCommand()}},
		{"Collections", []*cobra.Command{
			importCommand(), exportCommand(), copyCommand(), deleteCommand(), verifyCommand(), repairCommand(), compactCommand(), reindexCommand(), backupCommand(), restoreCommand(),
		}},
		{"Other systems", []*cobra.Command{
			vectorCommand(), compileCommand(), modelCommand(), queryCommand(), healthCommand(), manCommand(),
		}},
		{"Evaluation", []*cobra.Command{evalCommand(), tuneCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetCompletionCommandGroupID("Other systems")
	return root
}

// firstSteps is printed by nsfl without arguments.
const firstSteps = `nsfl searches by meaning, with AND, OR and NOT that work.
Getting started:

  nsfl search --demo 'dog AND NOT ball'
  nsfl index ~/notes -c notes
  nsfl search -c notes 'backup AND NOT database'

nsfl help lists all commands; nsfl serve --demo has a page.
`
