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
// one that something else has made and filled. Further settings are database; tls=true; and
// id, vector, text, title and metadata, the names of the fields that are those, or what the
// dynamic field has by that name. User and password, or a token, may be in the environment
// variable MILVUS_TOKEN instead.
//
// The errors that a caller may decide on are engine.ErrNotCollection and
// *engine.MismatchError for another dimension.
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

// establish finds out what is there.
func establish(ctx context.Context, calls *pooling.Calls, c *client, a *address) (engine.Collection, error) {
	found, err := c.describe(ctx, a.collection)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, engine.ErrNotCollection
	}
	return attach(ctx, calls, c, a, found)
}
