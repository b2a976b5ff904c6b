package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/mcp"
)

func mcpCommand() *cobra.Command {
	var from collectionFlags
	var root string
	var readOnly bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve collections to an agent over standard input and output (MCP)",
		Long: `Mcp is a Model Context Protocol server that an agent starts and talks to over standard
input and output. Its tools search, explain a result, read and add documents, and list
collections. A collection is locked only while documents are added, so
several agents and other nsfl commands can use it at the same time.`,
		Example: `  nsfl mcp --demo
  nsfl mcp -c notes
  nsfl mcp -c postgres://db/notes?collection=notes
  nsfl mcp --root collections --read-only`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := offered(cmd, from, root, readOnly)
			if err != nil {
				return err
			}
			if config.Demo != nil {
				defer config.Demo.Close() //nolint:errcheck // it was only read
			}
			config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
			c, err := workspace.NewCollections(config)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // what was stored is on the disk
			o := mcp.Options{Role: auth.Admin, Log: config.Log}
			if readOnly || from.demo {
				o.Role = auth.Read
			}
			return mcp.Serve(cmd.Context(), c, o, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	from.add(f)
	f.StringVar(&root, "root", "", "serve all collections in this `DIR`")
	f.BoolVar(&readOnly, "read-only", false, "offer no tool that changes anything")
	return cmd
}

// offered returns the configuration for the collections that the flags select: those of a
// directory, one, or the demo, which the caller closes.
func offered(cmd *cobra.Command, from collectionFlags, root string, readOnly bool) (c workspace.Config, err error) {
	c.Personal = true
	if from.encoder != "" {
		c.Encoders = []string{from.encoder}
	}
	switch {
	case root != "" && (from.given() || from.demo), from.given() && from.demo:
		return c, usageError{errors.New("use only one of --root, -c and --demo")}
	case root != "":
		if info, err := os.Stat(root); err != nil {
			return c, fmt.Errorf("opening the collections in %s: %w", root, err)
		} else if !info.IsDir() {
			return c, fmt.Errorf("opening the collections in %s: it is not a directory", root)
		}
		c.Root = root
		return c, nil
	case from.demo:
		c.Demo, err = openDemo(cmd, from.encoder)
		return c, err
	}
	place, err := from.place()
	if err != nil {
		return c, err
	}
	if readOnly && !workspace.Holds(cmd.Context(), place) {
		return c, fmt.Errorf("there is no collection in %s; create one with nsfl index", stores.Shown(place))
	}
	c.Places = map[string]string{stores.Name(place): place}
	return c, nil
}

// agents serves a server's collections to agents, with the rights of their keys. The server
// has checked hosts and origins.
func agents(config server.Config) func(*server.Collections) http.Handler {
	return func(c *server.Collections) http.Handler {
		return mcp.Handler(c, mcp.Options{
			RoleOf: server.RoleOf, AnyHost: true, Describe: describeProblem, Log: config.Log,
			Limits: mcp.Limits{SearchTime: config.Limits.SearchTime, WriteTime: config.Limits.WriteTime},
		})
	}
}

// describeProblem returns the message of an error that clients may see: other errors may
// contain paths.
func describeProblem(err error) string {
	var p *server.Problem
	var refusal *workspace.Error
	switch {
	case errors.As(err, &p):
		return p.Detail
	case errors.As(err, &refusal):
		return refusal.Message
	}
	return "the server failed; see its log"
}
