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
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/ui"
)

// configEnv names the configuration file where --config does not.
const configEnv = "NSFL_CONFIG"

func serveCommand() *cobra.Command {
	var file string
	var print, held bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve collections over HTTP",
		Long: `Serve has a page for people at /, an HTTP API for programs, which /docs describes, and
tools for agents at /mcp. It listens on this machine only, unless there are keys.

A store elsewhere may be down when the server starts, or later: its collection is
unavailable then, and back when the store is. Give its password in the environment
(PGPASSWORD, WEAVIATE_API_KEY, CHROMA_TOKEN, MILVUS_TOKEN, ELASTIC_PASSWORD) rather than in
the address.

Every flag is also a field of the file that --config names (search_time) and a
variable of the environment (NSFL_SEARCH_TIME). Flags win over variables, variables
over the file. --print-config shows what is in force, as such a file.`,
		Example: `  nsfl serve --demo
  nsfl serve --collections ~/collections
  nsfl serve --collections data --listen 0.0.0.0:7700 --keys-file keys
  nsfl serve --store films=postgres://db/films?collection=films
  nsfl serve --config server.json --print-config`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := server.Load(file, os.LookupEnv, changed(cmd.Flags()))
			if err != nil {
				return usageError{err}
			}
			if print {
				return s.Print(cmd.OutOrStdout())
			}
			if held {
				hold(cmd)
			}
			return serve(cmd, s)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	for _, s := range server.DefaultSettings().All() {
		if s.IsRepeated() {
			f.StringArray(s.Name, nil, s.Help+"; $"+s.Environment())
			continue
		}
		f.String(s.Name, s.String(), s.Help+"; $"+s.Environment())
		if s.IsBool() {
			f.Lookup(s.Name).NoOptDefVal = "true"
		}
	}
	f.StringVar(&file, "config", os.Getenv(configEnv), "a JSON file of settings; $"+configEnv+" by default")
	f.BoolVar(&held, "until-eof", false, "stop when the standard input ends, as it does with the process that holds it; for programs that start a server of their own")
	f.BoolVar(&print, "print-config", false, "show the settings and stop")
	cmd.AddCommand(keyCommand())
	return cmd
}

// hold ends the command's context with its standard input: a pipe ends with the process that
// has the other side, however that came to its end.
func hold(cmd *cobra.Command) {
	ctx, cancel := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, cmd.InOrStdin()) // that it has ended is what counts
		cancel()
	}()
}

// changed are the flags that were given, by name.
func changed(f *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	f.Visit(func(flag *pflag.Flag) {
		given[flag.Name] = flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			given[flag.Name] = strings.Join(list.GetSlice(), " ")
		}
	})
	return given
}

// serve makes the server of its settings, and runs it.
func serve(cmd *cobra.Command, s *server.Settings) error {
	config, err := s.Config()
	if err != nil {
		return usageError{err}
	}
	if s.Collections == "" && len(s.Stores) == 0 && !s.Demo {
		return usageError{errors.New("there is nothing to serve: name a directory for collections with --collections DIR, a store elsewhere with --store NAME=ADDRESS, or try --demo")}
	}
	switch s.Log {
	case "text":
		config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	case "json":
		config.Log = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	case "problems":
		config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	case "off":
	default:
		return usageError{fmt.Errorf("unknown --log %q: expected text, json, problems or off", s.Log)}
	}
	config.UI = ui.Files()
	if s.Demo {
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
	config.Mounts = map[string]server.Mount{"/mcp": mcpMount(config)}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
	defer stop()
	return listen(ctx, cmd, s.Listen, config)
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
				_ = srv.Reload() // its log says what came of it
			case <-ended:
				return
			}
		}
	}()
	return srv.Serve(ctx, l)
}
