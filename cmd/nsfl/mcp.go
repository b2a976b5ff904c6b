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
	"github.com/nsfl-go/nsfl/server/mcp"
)

func mcpCommand() *cobra.Command {
	var from collectionFlags
	var root string
	var readOnly bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer collections to an agent, over standard input and output",
		Long: `Mcp is a server of the Model Context Protocol for one agent, which starts it and
speaks with it over standard input and output. It has tools to search by a
query, explain a result, read and add documents, list collections and check a
query. A collection is locked only while documents are added to it, so that
several agents and the other verbs can use it at the same time.`,
		Example: `  nsfl mcp --demo
  nsfl mcp -c notes
  nsfl mcp --store postgres://db/notes?collection=notes
  nsfl mcp --root collections --read-only`,
		Args: args(0, 0, "no words beside the flags"),
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
			o := mcp.Options{Access: mcp.Create, Log: config.Log}
			if readOnly || from.demo {
				o.Access = mcp.Read
			}
			return mcp.Serve(cmd.Context(), c, o, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	from.add(f)
	f.StringVar(&root, "root", "", "offer all collections that are sub-directories of this one")
	f.BoolVar(&readOnly, "read-only", false, "have no tool that changes anything")
	return cmd
}

// offered is what the flags say is to be offered: the collections of a directory,
// one, or the demo, which has to be closed.
func offered(cmd *cobra.Command, from collectionFlags, root string, readOnly bool) (c workspace.Config, err error) {
	c.Personal = true
	if from.encoder != "" {
		c.Encoders = []string{from.encoder}
	}
	switch {
	case root != "" && (from.given() || from.demo), from.given() && from.demo:
		return c, usageError{errors.New("--root, -c or --store, and --demo each say what to offer; give one of them")}
	case root != "":
		if info, err := os.Stat(root); err != nil {
			return c, fmt.Errorf("offering the collections of %s: %w", root, err)
		} else if !info.IsDir() {
			return c, fmt.Errorf("offering the collections of %s: it is not a directory", root)
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
		return c, fmt.Errorf("there is no collection in %s; make one with nsfl index", stores.Shown(place))
	}
	c.Places = map[string]string{stores.Name(place): place}
	return c, nil
}

// mcpMount offers the collections of a server to agents. What they may do is what
// their keys allow, and the server has looked at hosts and origins.
func mcpMount(config server.Config) server.Mount {
	access := map[server.Role]mcp.Access{server.Write: mcp.Write, server.Admin: mcp.Create}
	return server.Mount{Role: server.Read, Handler: func(c *server.Collections) http.Handler {
		return mcp.Handler(c, mcp.Options{
			AccessOf: func(r *http.Request) mcp.Access { return access[server.RoleOf(r.Context())] },
			AnyHost:  true, Describe: describeProblem, Log: config.Log,
			Limits: mcp.Limits{SearchTime: config.Limits.SearchTime, WriteTime: config.Limits.WriteTime},
		})
	}}
}

// describeProblem says only what the server would tell a client: other errors may
// hold paths.
func describeProblem(err error) string {
	var p *server.Problem
	var refusal *workspace.Error
	switch {
	case errors.As(err, &p):
		return p.Detail
	case errors.As(err, &refusal):
		return refusal.Message
	}
	return "the server is at fault; its log says more"
}
