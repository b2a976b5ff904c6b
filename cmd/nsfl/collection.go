package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	stores "github.com/nsfl-go/nsfl/engine/choose"
)

// These name the collection where -c and --store do not.
const (
	collectionEnv = "NSFL_COLLECTION"
	storeEnv      = "NSFL_STORE"
)

// encoderNote is the note under which a collection keeps the word that its
// encoder was chosen by.
const encoderNote = "encoder"

// collectionFlags say which collection a verb works on, and with which encoder.
type collectionFlags struct {
	dir, store string
	encoder    string
	demo       bool
}

func (c *collectionFlags) add(f *pflag.FlagSet) {
	c.addPlace(f)
	f.StringVar(&c.encoder, "encoder", "", "the encoder: builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …; the collection's own by default")
	f.BoolVar(&c.demo, "demo", false, "use the built-in collection of some 500 short texts")
}

// addPlace adds the flags that name a collection. Variables are not their defaults,
// which help would show with the password of an address.
func (c *collectionFlags) addPlace(f *pflag.FlagSet) {
	f.StringVarP(&c.dir, "collection", "c", "", "the collection's directory; $"+collectionEnv+" by default")
	f.StringVar(&c.store, "store", "", "where the collection is instead: postgres://…, weaviate://…, chroma://… or a directory; $"+storeEnv+" by default")
}

// given reports whether a flag names a collection.
func (c *collectionFlags) given() bool { return c.dir != "" || c.store != "" }

// place is where the collection is: a directory or an address. It may hold a
// password; stores.Place has none.
func (c *collectionFlags) place() (string, error) {
	for _, p := range []struct{ dir, store, names string }{
		{c.dir, c.store, "-c and --store"},
		{os.Getenv(collectionEnv), os.Getenv(storeEnv), "$" + collectionEnv + " and $" + storeEnv},
	} {
		switch {
		case p.dir != "" && p.store != "" && stores.Canonical(p.dir) != stores.Canonical(p.store):
			return "", usageError{fmt.Errorf("%s name two collections, %s and %s; give one of them", p.names, stores.Place(p.dir), stores.Place(p.store))}
		case p.store != "":
			return p.store, nil
		case p.dir != "":
			return p.dir, nil
		}
	}
	return "", usageError{fmt.Errorf("no collection is named: give one with -c DIR or in $%s, one elsewhere with --store ADDRESS or in $%s, or try --demo", collectionEnv, storeEnv)}
}

// directory is the place of a collection that has to be in a directory.
func (c *collectionFlags) directory(verb, instead string) (string, error) {
	place, err := c.place()
	if err != nil {
		return "", err
	}
	if stores.External(place) {
		return "", usageError{fmt.Errorf("%s is for collections in a directory, and %s is kept by its server; %s", verb, stores.Place(place), instead)}
	}
	return stores.Directory(place)
}

// openStore opens the store of a collection that exists without its encoder, which
// need not be at hand.
func (c *collectionFlags) openStore(ctx context.Context, readOnly bool) (store engine.Collection, place string, err error) {
	if place, err = c.place(); err != nil {
		return nil, "", err
	}
	flag := "--store ADDRESS"
	if dir, e := stores.Directory(place); e == nil {
		flag = "-c " + dir
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil, "", fmt.Errorf("there is no collection in %s; make one with nsfl index FILES %s", dir, flag)
		}
	}
	store, err = stores.Open(ctx, place, stores.Options{ReadOnly: readOnly})
	if errors.Is(err, engine.ErrNotCollection) {
		err = fmt.Errorf("%w; make one with nsfl index FILES %s", err, flag)
	}
	return store, place, err
}

// opened is a collection and what has to be closed after it.
type opened struct {
	*nsfl.Collection
	place   string // for messages
	closers []func() error
	picture func(context.Context, string) ([]float32, error) // nil: the encoder reads none
}

// close closes everything; what was written is on the disk already.
func (o *opened) close() {
	for _, c := range o.closers {
		_ = c()
	}
}

// open opens a collection that exists.
func (c *collectionFlags) open(cmd *cobra.Command, readOnly bool) (*opened, error) {
	if c.demo {
		if c.given() {
			return nil, usageError{errors.New("--demo and -c or --store name two collections; give one of them")}
		}
		return openDemo(cmd, c.encoder)
	}
	ctx := cmd.Context()
	store, place, err := c.openStore(ctx, readOnly)
	if err != nil {
		return nil, err
	}
	o, err := openOn(ctx, store, c.encoder)
	return o.at(place, store, err)
}

// openOrMake opens a collection for writing and makes it where there is none.
func (c *collectionFlags) openOrMake(cmd *cobra.Command) (*opened, error) {
	ctx := cmd.Context()
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	store, err := stores.Open(ctx, place, stores.Options{})
	if errors.Is(err, engine.ErrNotCollection) {
		return c.make(ctx, place)
	}
	if err != nil {
		return nil, err
	}
	o, err := openOn(ctx, store, c.encoder)
	return o.at(place, store, err)
}

// make makes a collection.
func (c *collectionFlags) make(ctx context.Context, place string) (*opened, error) {
	e, err := named.Open(ctx, c.encoder)
	if err != nil {
		return nil, err
	}
	id := e.Identity()
	store, err := stores.Open(ctx, place, stores.Options{Dimension: id.Dimension, Encoder: nsfl.EncoderName(id)})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	err = store.SetNotes(ctx, map[string]string{encoderNote: named.Word(c.encoder)})
	var o *opened
	if err == nil {
		o, err = with(ctx, store, e)
	}
	if err != nil {
		err = errors.Join(err, e.Close())
	}
	return o.at(place, store, err)
}

// openOn opens the encoder of a store: that of a word or, where it is empty, that
// which the collection was made with.
func openOn(ctx context.Context, store engine.Collection, word string) (*opened, error) {
	if word == "" {
		var err error
		if word, err = storedEncoder(ctx, store); err != nil {
			return nil, err
		}
	}
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	o, err := with(ctx, store, e)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return o, nil
}

// storedEncoder is the word that the encoder of a collection was chosen by.
func storedEncoder(ctx context.Context, store engine.Collection) (string, error) {
	notes, err := store.Notes(ctx, encoderNote)
	return notes[encoderNote], err
}

func with(ctx context.Context, store engine.Collection, e *named.Encoder) (*opened, error) {
	c, err := nsfl.On(ctx, store, nsfl.Config{Encoder: e, Picture: e.Picture})
	if err != nil {
		return nil, err
	}
	return &opened{Collection: c, closers: []func() error{c.Close, e.Close}, picture: e.Picture}, nil
}

// at says where a collection is that was opened, or closes the store of one that
// could not be.
func (o *opened) at(place string, store engine.Collection, err error) (*opened, error) {
	if err != nil {
		var other *nsfl.EncoderError
		if errors.As(err, &other) {
			other.Dir = stores.Place(place)
		}
		return nil, errors.Join(err, store.Close())
	}
	o.place = stores.Place(place)
	return o, nil
}
