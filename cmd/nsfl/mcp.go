package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	stores "github.com/nsfl-go/nsfl/engine/choose"
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
formula, explain a result, read and add documents, list collections and check a
formula. A collection is locked only while documents are added to it, so that
several agents and the other verbs can use it at the same time.`,
		Example: `  nsfl mcp --demo
  nsfl mcp -c notes
  nsfl mcp --store postgres://db/notes?collection=notes
  nsfl mcp --root collections --read-only`,
		Args: args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := newShelf(cmd, from, root, readOnly)
			if err != nil {
				return err
			}
			defer s.close()
			o := mcp.Options{Access: mcp.Create, Version: buildVersion(), Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))}
			if readOnly || from.demo {
				o.Access = mcp.Read
			}
			return mcp.Serve(cmd.Context(), s, o, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	from.add(f)
	f.StringVar(&root, "root", "", "offer all collections that are sub-directories of this one")
	f.BoolVar(&readOnly, "read-only", false, "have no tool that changes anything")
	return cmd
}

// mcpMount offers the collections of a server to agents. What they may do is what
// their keys allow, and the server has looked at hosts and origins.
func mcpMount(config server.Config) server.Mount {
	access := map[server.Role]mcp.Access{server.Write: mcp.Write, server.Admin: mcp.Create}
	return server.Mount{Role: server.Read, Handler: func(c *server.Collections) http.Handler {
		return mcp.Handler(c, mcp.Options{
			AccessOf: func(r *http.Request) mcp.Access { return access[server.RoleOf(r.Context())] },
			AnyHost:  true, Describe: describeProblem, Version: buildVersion(), Log: config.Log,
			Limits: mcp.Limits{Calls: config.Limits.Searches, SearchTime: config.Limits.SearchTime, WriteTime: config.Limits.WriteTime},
		})
	}}
}

// describeProblem says only what the server would tell a client: other errors may
// hold paths.
func describeProblem(err error) string {
	var p *server.Problem
	if errors.As(err, &p) {
		return p.Detail
	}
	return "the server is at fault; its log says more"
}

// buildVersion is the version of the module, as the toolchain knows it.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}

// shelf are the collections that are offered: those of a directory, one, or the
// demo. Each is opened for reading when it is first asked for, and stays so.
type shelf struct {
	cmd  *cobra.Command
	from collectionFlags // encoder: of collections to be made
	root string          // empty: from names the only one
	name string          // of the only one

	writing turn // one collection is written to or made at a time
	opening turn // guards opened
	opened  map[string]*opened
}

// turn is a lock that can be waited for with a context.
type turn chan struct{}

func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) giveBack() { <-t }

func newShelf(cmd *cobra.Command, from collectionFlags, root string, readOnly bool) (*shelf, error) {
	s := &shelf{cmd: cmd, from: from, root: root, writing: make(turn, 1), opening: make(turn, 1), opened: map[string]*opened{}}
	switch {
	case root != "" && (from.given() || from.demo), from.given() && from.demo:
		return nil, usageError{errors.New("--root, -c or --store, and --demo each say what to offer; give one of them")}
	case root != "":
		if info, err := os.Stat(root); err != nil {
			return nil, fmt.Errorf("offering the collections of %s: %w", root, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("offering the collections of %s: it is not a directory", root)
		}
		return s, nil
	case from.demo:
		s.name = "demo"
		return s, nil
	}
	place, err := from.place()
	if err != nil {
		return nil, err
	}
	s.from.dir, s.from.store, s.name = "", place, stores.Name(place)
	if readOnly && !isCollection(cmd.Context(), place) {
		return nil, fmt.Errorf("there is no collection in %s; make one with nsfl index", stores.Place(place))
	}
	return s, nil
}

// isCollection reports whether there is a collection at a place, be it one that
// cannot be opened now.
func isCollection(ctx context.Context, place string) bool {
	c, err := stores.Open(ctx, place, stores.Options{ReadOnly: true})
	if err == nil {
		_ = c.Close()
	}
	return !errors.Is(err, engine.ErrNotCollection)
}

func (s *shelf) place(name string) string {
	if s.root == "" {
		return s.from.store
	}
	return filepath.Join(s.root, name)
}

// Names are those of the collections there are now.
func (s *shelf) Names() ([]string, error) {
	ctx := s.cmd.Context()
	if s.root == "" {
		if s.from.demo || isCollection(ctx, s.from.store) {
			return []string{s.name}, nil
		}
		return nil, nil
	}
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return nil, fmt.Errorf("listing collections: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && isCollection(ctx, s.place(e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Use gives the open collection or, to write, opens it once more until release.
func (s *shelf) Use(ctx context.Context, name string, write bool) (*nsfl.Collection, func(), error) {
	o, err := s.reader(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if !write {
		return o.Collection, func() {}, nil
	}
	if err := s.writing.take(ctx); err != nil {
		return nil, nil, err
	}
	c, err := s.writer(ctx, name, o.Encoder())
	if err != nil {
		s.writing.giveBack()
		return nil, nil, err
	}
	return c, func() {
		_ = c.Close() // what was stored is on the disk
		s.writing.giveBack()
	}, nil
}

// writer opens a collection for writing.
func (s *shelf) writer(ctx context.Context, name string, e encoder.Encoder) (*nsfl.Collection, error) {
	store, err := stores.Open(ctx, s.place(name), stores.Options{})
	if err != nil {
		return nil, err
	}
	c, err := nsfl.On(ctx, store, nsfl.Config{Encoder: e})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return c, nil
}

// reader is a collection, open for reading.
func (s *shelf) reader(ctx context.Context, name string) (*opened, error) {
	if err := s.opening.take(ctx); err != nil {
		return nil, err
	}
	defer s.opening.giveBack()
	if o := s.opened[name]; o != nil {
		return o, nil
	}
	names, err := s.Names()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("there is no collection %q", name)
	}
	from := s.from
	if s.root != "" {
		from = collectionFlags{dir: s.place(name)}
	}
	o, err := from.open(s.cmd, true)
	if err != nil {
		return nil, err
	}
	s.opened[name] = o
	return o, nil
}

var collectionName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// Make makes a collection with the encoder that the command line names.
func (s *shelf) Make(ctx context.Context, name string) error {
	if err := s.writing.take(ctx); err != nil {
		return err
	}
	defer s.writing.giveBack()
	if s.root == "" && name != s.name {
		return fmt.Errorf("only %q can be made here; start nsfl mcp with --root to have several collections", s.name)
	}
	if s.root != "" && !collectionName.MatchString(name) {
		return fmt.Errorf("%q cannot be a collection's name: it has lower-case letters, digits, - and _, at most 64, and begins with a letter or a digit", name)
	}
	o, err := (&collectionFlags{store: s.place(name), encoder: s.from.encoder}).openOrMake(s.cmd)
	if err != nil {
		return err
	}
	o.close()
	return nil
}

func (s *shelf) close() {
	for _, o := range s.opened {
		o.close()
	}
}
