package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/choose"
	"github.com/nsfl-go/nsfl/index"
)

// collectionEnv names the collection where -c does not.
const collectionEnv = "NSFL_COLLECTION"

// encoderNote is the note under which a collection keeps the word that its
// encoder was chosen by.
const encoderNote = "encoder"

// collectionFlags say which collection a verb works on, and with which encoder.
type collectionFlags struct {
	dir     string
	encoder string
	demo    bool
}

func (c *collectionFlags) add(f *pflag.FlagSet) {
	c.addDir(f)
	f.StringVar(&c.encoder, "encoder", "", "the encoder: builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …; the collection's own by default")
	f.BoolVar(&c.demo, "demo", false, "use the built-in collection of some 500 short texts")
}

func (c *collectionFlags) addDir(f *pflag.FlagSet) {
	f.StringVarP(&c.dir, "collection", "c", os.Getenv(collectionEnv), "the collection's directory; $"+collectionEnv+" by default")
}

// opened is a collection and what has to be closed after it.
type opened struct {
	*nsfl.Collection
	closers []func() error
	picture func(context.Context, string) ([]float32, error) // nil: the encoder reads none
}

// close closes everything; what was written is on the disk already.
func (o *opened) close() {
	for _, c := range o.closers {
		_ = c()
	}
}

// where is the directory that was named.
func (c *collectionFlags) where() (string, error) {
	if c.dir == "" {
		return "", usageError{fmt.Errorf("no collection is named: give one with -c DIR or in $%s, or try --demo", collectionEnv)}
	}
	return c.dir, nil
}

// index opens a collection without its encoder, which need not be at hand.
func (c *collectionFlags) index(ctx context.Context, readOnly bool) (*index.Collection, error) {
	dir, err := c.where()
	if err != nil {
		return nil, err
	}
	return index.Open(ctx, dir, index.Options{ReadOnly: readOnly})
}

// open opens a collection that exists.
func (c *collectionFlags) open(cmd *cobra.Command, readOnly bool) (*opened, error) {
	if c.demo {
		if c.dir != "" && cmd.Flags().Changed("collection") {
			return nil, usageError{errors.New("--demo and -c name two collections; give one of them")}
		}
		return openDemo(cmd, c.encoder)
	}
	dir, err := c.where()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no collection in %s; make one with nsfl index FILES -c %s", dir, dir)
	}
	word := c.encoder
	if word == "" {
		if word, err = storedEncoder(cmd.Context(), dir); err != nil {
			return nil, err
		}
	}
	return openWith(cmd.Context(), dir, word, readOnly)
}

// openOrMake opens a collection for writing and makes it where there is none.
func (c *collectionFlags) openOrMake(cmd *cobra.Command) (*opened, error) {
	ctx := cmd.Context()
	dir, err := c.where()
	if err != nil {
		return nil, err
	}
	word, err := storedEncoder(ctx, dir)
	fresh := errors.Is(err, index.ErrNotCollection)
	if err != nil && !fresh {
		return nil, err
	}
	if c.encoder != "" {
		word = c.encoder
	}
	o, err := openWith(ctx, dir, word, false)
	if err != nil || !fresh {
		return o, err
	}
	if err := o.Index().SetNotes(ctx, map[string]string{encoderNote: choose.Word(word)}); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// storedEncoder is the word that the encoder of a collection was chosen by.
func storedEncoder(ctx context.Context, dir string) (string, error) {
	c, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer c.Close()
	notes, err := c.Notes(ctx, encoderNote)
	return notes[encoderNote], err
}

func openWith(ctx context.Context, dir, word string, readOnly bool) (*opened, error) {
	e, err := choose.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	c, err := nsfl.OpenWith(ctx, dir, nsfl.Config{Encoder: e, ReadOnly: readOnly, Picture: e.Picture})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &opened{c, []func() error{c.Close, e.Close}, e.Picture}, nil
}
