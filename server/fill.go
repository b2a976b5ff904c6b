package server

import (
	"context"
	"errors"
	"os"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// fill opens the collection, for writing if it can be.
func (c *Collections) fill(ctx context.Context, o *opened) (err error) {
	if o.name == demoName && c.demo != nil {
		o.Collection, o.readOnly, o.word = c.demo, true, c.demo.Encoder().Identity().Name
		if o.word == builtin.Name {
			o.word = builtin.Word
		}
		return nil
	}
	if s := c.outside[o.name]; s != nil {
		return c.fillFrom(ctx, o, s)
	}
	if c.root == "" {
		return noCollection(o.name)
	}
	if o.word, err = storedEncoder(ctx, c.dir(o.name)); err != nil {
		if errors.Is(err, engine.ErrNotCollection) || errors.Is(err, os.ErrNotExist) {
			return noCollection(o.name)
		}
		return err
	}
	e, err := c.encoderOf(ctx, o)
	if err != nil {
		return err
	}
	config := nsfl.Config{Encoder: e}
	o.Collection, err = nsfl.OpenWith(ctx, c.dir(o.name), config)
	if errors.Is(err, engine.ErrLocked) || errors.Is(err, os.ErrPermission) {
		config.ReadOnly, o.readOnly = true, true
		o.Collection, err = nsfl.OpenWith(ctx, c.dir(o.name), config)
	}
	return err
}

// fillFrom opens the collection of a store elsewhere.
func (c *Collections) fillFrom(ctx context.Context, o *opened, s *outside) error {
	store, err := s.open(ctx)
	if err != nil {
		return err
	}
	if o.word, err = wordOf(ctx, store); err != nil {
		return errors.Join(s.explain(ctx, err), store.Close())
	}
	e, err := c.encoderOf(ctx, o)
	if err == nil {
		o.Collection, err = nsfl.On(ctx, store, nsfl.Config{Encoder: e})
	}
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return nil
}

func (c *Collections) encoderOf(ctx context.Context, o *opened) (encoder.Encoder, error) {
	e, err := c.encoders.get(ctx, o.word)
	if err != nil {
		return nil, newProblem("unavailable", "the encoder of collection %q cannot be opened; the server's log says why", o.name).because(err)
	}
	return e, nil
}

// storedEncoder is the word that the encoder of a collection was chosen by.
func storedEncoder(ctx context.Context, dir string) (string, error) {
	i, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer i.Close()
	return wordOf(ctx, engine.Embedded{Collection: i})
}

func wordOf(ctx context.Context, store engine.Collection) (string, error) {
	notes, err := store.Notes(ctx, encoderNote)
	return named.Word(notes[encoderNote]), err
}
