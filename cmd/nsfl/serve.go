package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/ui"
)

func serveCommand() *cobra.Command {
	s := newSettings()
	var collections []string
	var held bool
	cmd := &cobra.Command{
		Use:   "serve [DIR…]",
		Short: "Serve collections over HTTP",
		Long: `Serve starts a server with a web page at /, a JSON API, documented at /docs, and MCP tools
for agents at /mcp. Without keys it listens on this machine only.

DIR, -c and --collections each take a collection or a directory of collections. Clients can
create collections in the first directory of collections.

A remote store may be down: its collection is unavailable until the store is back. Put
passwords into the environment (PGPASSWORD, WEAVIATE_API_KEY, CHROMA_TOKEN, MILVUS_TOKEN,
ELASTIC_PASSWORD), not into the address.

Every setting is a flag (--search-time) and an environment variable (NSFL_SEARCH_TIME);
flags override variables.`,
		Example: `  nsfl serve --demo
  nsfl serve notes
  nsfl serve --collections ~/collections
  nsfl serve --collections data --listen 0.0.0.0:7700 --keys-file keys
  nsfl serve --store films=postgres://db/films?collection=films`,
		Args: args(0, 1<<20, "collections, or directories of collections"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.readEnvironment(os.LookupEnv); err != nil {
				return usageError{err}
			}
			if held {
				hold(cmd)
			}
			return serve(cmd, s, append(args, collections...))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&collections, "collection", "c", nil, "serve the collection in `DIR`; may be repeated")
	f.AddFlagSet(s.flags)
	f.BoolVar(&held, "until-eof", false, "stop when standard input closes; for programs that start their own server")
	cmd.AddCommand(keyCommand())
	return cmd
}

// hold cancels the command's context when standard input ends: a pipe ends with the process on
// its other side, even if that was killed.
func hold(cmd *cobra.Command) {
	ctx, cancel := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, cmd.InOrStdin()) // only its end matters
		cancel()
	}()
}

// serve runs a server with the given settings and, in addition, the collections in dirs.
func serve(cmd *cobra.Command, s *settings, dirs []string) error {
	config, err := s.config()
	if err != nil {
		return usageError{err}
	}
	if config.Root != "" {
		dirs = append([]string{config.Root}, dirs...)
		config.Root = ""
	}
	for _, dir := range dirs {
		if err := addDirectory(cmd, &config, dir); err != nil {
			return err
		}
	}
	if len(dirs) == 0 && len(s.stores) == 0 && !s.demo {
		return usageError{errors.New("there is nothing to serve: name a collection or a directory of collections, as in nsfl serve DIR, a remote store with --store NAME=ADDRESS, or try --demo")}
	}
	switch s.log {
	case "text":
		config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	case "json":
		config.Log = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	case "problems":
		config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	case "off":
	default:
		return usageError{fmt.Errorf("unknown --log %q: expected text, json, problems or off", s.log)}
	}
	config.UI = ui.Files()
	if s.demo {
		demo, err := openDemo(cmd, "")
		if err != nil {
			return err
		}
		defer demo.Close() //nolint:errcheck // it was only read
		config.Demo = demo
	}
	if os.Getenv("GOMEMLIMIT") == "" { // what requests draw is an estimate
		debug.SetMemoryLimit(s.Limits.Memory + s.Limits.Memory/2)
	}
	config.Parser = uploadParser
	config.Agents = agents(config)
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
	defer stop()
	return listen(ctx, cmd, s.listen, config)
}

// addDirectory adds a collection, or the collections in a directory, to what is served.
func addDirectory(cmd *cobra.Command, config *server.Config, dir string) error {
	if workspace.Holds(cmd.Context(), dir) {
		return addCollection(config, dir)
	}
	isRoot := config.Root == ""
	if isRoot {
		config.Root = dir // the server checks it
	}
	entries, err := os.ReadDir(dir)
	if isRoot && err != nil {
		return nil //nolint:nilerr // the server makes the directory, or says what is wrong
	}
	if err != nil {
		return fmt.Errorf("opening a directory of collections: %w", err)
	}
	found := 0
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() || !workspace.Holds(cmd.Context(), path) {
			continue
		}
		found++
		if isRoot && workspace.IsName(e.Name()) {
			continue // the server finds it
		}
		if err := addCollection(config, path); err != nil {
			return err
		}
	}
	switch {
	case found > 0:
	case slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") }):
		return usageError{fmt.Errorf("%[1]s has files, but no collection\nto read them into one, and serve that:\n  nsfl index %[1]s -c %[2]s-nsfl\n  nsfl serve %[2]s-nsfl", dir, filepath.Clean(dir))}
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s has no collection yet; nsfl index FOLDER -c %s makes one, as does the page\n", dir, filepath.Join(dir, "NAME"))
	}
	return nil
}

// addCollection serves the collection in a directory under the directory's name.
func addCollection(config *server.Config, dir string) error {
	name := stores.Name(dir)
	if other, ok := config.Stores[name]; ok {
		return usageError{fmt.Errorf("two collections are named %s, %s and %s; rename one of the directories", name, stores.Shown(other), dir)}
	}
	config.Stores[name] = dir
	return nil
}

// listen serves until ctx is done.
func listen(ctx context.Context, cmd *cobra.Command, address string, config server.Config) error {
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	srv, err := server.New(config)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return errors.Join(fmt.Errorf("listening: %w; choose another address with --listen", err), srv.Close())
	}
	scheme := "http"
	if config.TLSCert != "" {
		scheme = "https"
	}
	fmt.Fprintf(cmd.OutOrStdout(), "nsfl serves %s://%s; ctrl-C ends it\n", scheme, l.Addr())
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case <-again:
				_ = srv.Reload() // it logs the result
			case <-ended:
				return
			}
		}
	}()
	return srv.Serve(ctx, l)
}
