package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// collectionEnv names the collection if -c does not.
const collectionEnv = "NSFL_COLLECTION"

// encoderHelp lists the values of --encoder.
const encoderHelp = "builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …"

// collectionFlags select a collection and its encoder.
type collectionFlags struct {
	collection string // a directory or an address, which may contain a password
	server     string // that has it
	encoder    string
	demo       bool
}

// add adds the flags for searching a collection.
func (c *collectionFlags) add(f *pflag.FlagSet) {
	c.addPlace(f)
	f.StringVar(&c.encoder, "encoder", "", "the encoder: "+encoderHelp+"; default: the collection's own")
	group(f, elsewhere, "encoder")
	f.BoolVar(&c.demo, "demo", false, "use the built-in collection of about 500 short texts")
}

// addPlace adds the flag that names a collection. The environment variable is not its
// default: help would show the password in an address.
func (c *collectionFlags) addPlace(f *pflag.FlagSet) {
	f.StringVarP(&c.collection, "collection", "c", "", "the collection in `DIR`, or at an address: postgres://…, weaviate://…, milvus://…, elastic://…, qdrant://… or chroma://…; default: $"+collectionEnv)
}

// given reports whether a flag names a collection.
func (c *collectionFlags) given() bool { return c.collection != "" }

// place returns the directory or address of the collection. It may contain a password, which
// stores.Shown removes.
func (c *collectionFlags) place() (string, error) {
	if place := cmp.Or(c.collection, os.Getenv(collectionEnv)); place != "" {
		return place, nil
	}
	return "", usageError{fmt.Errorf(noCollection, collectionEnv)}
}

// noCollection is the error if no collection is named.
const noCollection = `no collection is named
to index a folder, and search it:
  nsfl index FOLDER -c notes
  nsfl search -c notes 'dog AND NOT ball'
or try nsfl search --demo 'dog AND NOT ball'. $%s names a collection for all commands`

// directory returns the directory of the collection, or an error if it is in a store.
func (c *collectionFlags) directory(verb, instead string) (string, error) {
	place, err := c.place()
	if err != nil {
		return "", err
	}
	if stores.External(place) {
		return "", usageError{fmt.Errorf("%s is for collections in a directory, and %s is kept by its server; %s", verb, stores.Shown(place), instead)}
	}
	return stores.Directory(place)
}

// openStore opens an existing collection without its encoder.
func (c *collectionFlags) openStore(ctx context.Context, readOnly bool) (engine.Collection, error) {
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	return workspace.OpenStore(ctx, place, readOnly)
}

// open opens the demo or the named collection.
func (c *collectionFlags) open(cmd *cobra.Command, o workspace.Options) (*workspace.Handle, error) {
	if c.demo {
		if c.given() {
			return nil, usageError{errors.New("--demo and -c name two collections; give one of them")}
		}
		return openDemo(cmd, c.encoder)
	}
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	o.Encoder = c.encoder
	opened, err := workspace.Open(cmd.Context(), place, o)
	if err == nil && opened.Agreement != nil {
		printAgreement(cmd, opened)
	}
	return opened, err
}

// printAgreement reports how well the encoder agrees with vectors that another program made:
// once, and every time if there is doubt.
func printAgreement(cmd *cobra.Command, c *workspace.Handle) {
	if doubt := c.Agreement.Doubt(); doubt != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", doubt)
	} else if c.Agreement.New {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", c.Encoder().Identity().Name, c.Agreement)
	}
}

// searcher returns a searcher that encodes a formula. Plain atoms need no collection, but
// without one there are no documents for feedback.
func (c *collectionFlags) searcher(cmd *cobra.Command, f *query.Formula) (s *retrieve.Searcher, closeAll func() error, err error) {
	if c.given() || c.demo {
		opened, err := c.open(cmd, workspace.Options{ReadOnly: true})
		if err != nil {
			return nil, nil, err
		}
		return opened.Searcher(), opened.Close, nil
	}
	for a := range query.Atoms(f.Root) {
		if a.Kind == query.Like {
			return nil, nil, usageError{fmt.Errorf("%s stands for a document: name its collection with -c", a)}
		}
	}
	e, err := named.Open(cmd.Context(), c.encoder)
	if err != nil {
		return nil, nil, err
	}
	return &retrieve.Searcher{Encoder: e, Picture: e.Picture, Profile: profile.For(e.Identity().Name, e.Identity().Revision)}, e.Close, nil
}

// printNotices prints the notices of an open store.
func printNotices(cmd *cobra.Command, store engine.Collection) {
	for _, notice := range workspace.Notices(store) {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", notice)
	}
}

// openDemo opens the demo, with a message if it has to be created first.
func openDemo(cmd *cobra.Command, word string) (*workspace.Handle, error) {
	return workspace.OpenDemo(cmd.Context(), word, func() {
		if progress.IsTerminal(cmd.ErrOrStderr()) {
			fmt.Fprintln(cmd.ErrOrStderr(), "encoding the demo's texts, this once …")
		}
	})
}
