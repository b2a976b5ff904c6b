package milvus

import (
	"context"
	"crypto/tls"
	"errors"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Open opens a collection at an address such as
//
//	milvus://USER:PASSWORD@HOST:PORT/?collection=NAME
//
// and makes it where there is none and a dimension is given. One that something else has made
// and filled is an *Attached, which is only read. Further settings are database; tls=true;
// and, of what is attached, id, vector, text, title and metadata: the names of the fields
// that are those, or what the dynamic field has by that name. User and password, or a token,
// may be in the environment variable MILVUS_TOKEN instead.
//
// The errors that a caller may decide on are engine.ErrNotCollection, *engine.MismatchError
// for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, text string, o engine.Options) (engine.Collection, error) {
	a, err := configure(text)
	if err == nil {
		err = pooling.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	calls := &pooling.Calls{Options: o, Place: a.place(), Reword: reword}
	const doing = "opening the collection"
	var security *tls.Config
	if a.secure {
		security = new(tls.Config)
	}
	c, err := newClient(a, security)
	if err != nil {
		return nil, calls.Explain(doing, err)
	}
	var store engine.Collection
	err = calls.Read(ctx, doing, func(ctx context.Context) (err error) {
		store, err = establish(ctx, calls, c, a)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return store, nil
}

// establish makes the collection where it may and has to, and finds out what is there.
func establish(ctx context.Context, calls *pooling.Calls, c *client, a *address) (engine.Collection, error) {
	o := &calls.Options
	found, err := c.describe(ctx, a.collection)
	if err == nil && found == nil && !o.ReadOnly && o.Dimension > 0 {
		if err := create(ctx, c, a, o); err != nil {
			return nil, err
		}
		found, err = c.describe(ctx, a.collection)
	}
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, engine.ErrNotCollection
	}
	made, err := settingsOf(found)
	switch {
	case err != nil:
		return nil, err
	case made == nil:
		return attach(ctx, calls, c, a, found)
	}
	return open(ctx, calls, c, a, made)
}
