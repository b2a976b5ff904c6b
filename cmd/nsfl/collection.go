package main

import (
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

// collectionEnv and storeEnv name the collection where -c and --store do not.
const (
	collectionEnv = "NSFL_COLLECTION"
	storeEnv      = "NSFL_STORE"
)

// encoderHelp is what --encoder says of itself.
const encoderHelp = "builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …"

// collectionFlags say which collection a verb works on, and with which encoder.
type collectionFlags struct {
	dir, store string
	server     string // that has it
	encoder    string
	demo       bool
}

// add adds the flags of a collection that is searched.
func (c *collectionFlags) add(f *pflag.FlagSet) {
	c.addPlace(f)
	f.StringVar(&c.encoder, "encoder", "", "the encoder: "+encoderHelp+"; the collection's own by default")
	group(f, elsewhere, "encoder")
	f.BoolVar(&c.demo, "demo", false, "use the built-in collection of some 500 short texts")
}

// addPlace adds the flags that name a collection. Variables are not their defaults,
// which help would show with the password of an address.
func (c *collectionFlags) addPlace(f *pflag.FlagSet) {
	f.StringVarP(&c.dir, "collection", "c", "", "the collection, a `DIR` that nsfl index has made; $"+collectionEnv+" by default")
	f.StringVar(&c.store, "store", "", "a collection elsewhere, by its `ADDRESS`: postgres://…, weaviate://…, milvus://…, elastic://…, chroma://… or a directory; $"+storeEnv+" by default")
	group(f, elsewhere, "store")
}

// given reports whether a flag names a collection.
func (c *collectionFlags) given() bool { return c.dir != "" || c.store != "" }

// place is where the collection is: a directory or an address. It may hold a
// password; stores.Shown has none.
func (c *collectionFlags) place() (string, error) {
	for _, p := range []struct{ dir, store, names string }{
		{c.dir, c.store, "-c and --store"},
		{os.Getenv(collectionEnv), os.Getenv(storeEnv), "$" + collectionEnv + " and $" + storeEnv},
	} {
		switch {
		case p.dir != "" && p.store != "" && stores.Canonical(p.dir) != stores.Canonical(p.store):
			return "", usageError{fmt.Errorf("%s name two collections, %s and %s; give one of them", p.names, stores.Shown(p.dir), stores.Shown(p.store))}
		case p.store != "":
			return p.store, nil
		case p.dir != "":
			return p.dir, nil
		}
	}
	return "", usageError{fmt.Errorf(noCollection, collectionEnv, storeEnv)}
}

// noCollection says what to do where no collection is named.
const noCollection = `no collection is named
to read a folder into one, and search it:
  nsfl index FOLDER -c notes
  nsfl search -c notes 'dog AND NOT ball'
or try nsfl search --demo 'dog AND NOT ball'. $%s names a collection for all commands, --store or $%s one in an engine`

// directory is the place of a collection that has to be in a directory.
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

// openStore opens the store of a collection that exists without its encoder, which
// need not be at hand.
func (c *collectionFlags) openStore(ctx context.Context, readOnly bool) (engine.Collection, error) {
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	return workspace.OpenStore(ctx, place, readOnly)
}

// open opens a collection: the demo, or the one at a place.
func (c *collectionFlags) open(cmd *cobra.Command, o workspace.Options) (*workspace.Handle, error) {
	if c.demo {
		if c.given() {
			return nil, usageError{errors.New("--demo and -c or --store name two collections; give one of them")}
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
		sayAgreement(cmd, opened)
	}
	return opened, err
}

// sayAgreement tells how well the encoder agrees with vectors that something else made:
// once, and again while there is doubt.
func sayAgreement(cmd *cobra.Command, c *workspace.Handle) {
	if doubt := c.Agreement.Doubt(); doubt != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", doubt)
	} else if c.Agreement.New {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", c.Encoder().Identity().Name, c.Agreement)
	}
}

// searcher encodes what a formula names. A collection is not needed for words, and
// without one there are no documents to refine vectors by.
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
			return nil, nil, usageError{fmt.Errorf("%s stands for a document: name its collection with -c DIR or --store ADDRESS", a)}
		}
	}
	e, err := named.Open(cmd.Context(), c.encoder)
	if err != nil {
		return nil, nil, err
	}
	return &retrieve.Searcher{Encoder: e, Picture: e.Picture, Profile: profile.For(e.Identity().Name)}, e.Close, nil
}

// sayNotices tells what whoever has opened a store should know.
func sayNotices(cmd *cobra.Command, store engine.Collection) {
	for _, notice := range workspace.Notices(store) {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", notice)
	}
}

// openDemo opens the demo, and says so where it is made for the first time.
func openDemo(cmd *cobra.Command, word string) (*workspace.Handle, error) {
	return workspace.OpenDemo(cmd.Context(), word, func() {
		if progress.IsTerminal(cmd.ErrOrStderr()) {
			fmt.Fprintln(cmd.ErrOrStderr(), "encoding the demo's texts, this once …")
		}
	})
}
