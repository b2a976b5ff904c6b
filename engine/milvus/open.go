package milvus

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Open attaches to a collection at an address such as
//
//	milvus://USER:PASSWORD@HOST:PORT/?collection=NAME
//
// for reading. Further settings are database, tls=true, and id, vector, text, title and
// metadata: the names of the fields, or of keys in the dynamic field, that have these roles.
// User and password, or a token, may stand in the environment variable MILVUS_TOKEN instead.
//
// It returns engine.ErrNotCollection where there is no such collection and
// *engine.MismatchError where its vectors have another dimension than asked for.
func Open(ctx context.Context, text string, o engine.Options) (*remote.Store, error) {
	a, err := configure(text)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	calls := &remote.Calls{Options: o, Place: a.place(), Reword: reword}
	const doing = "opening the collection"
	var security *tls.Config
	if a.secure {
		security = new(tls.Config)
	}
	c, err := newClient(a, security)
	if err != nil {
		return nil, calls.Explain(doing, err)
	}
	var store *remote.Store
	err = calls.Read(ctx, doing, func(ctx context.Context) (err error) {
		store, err = establish(ctx, calls, c, a)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return store, nil
}

// managed is the property by which earlier versions marked collections of their own.
const managed = "nsfl"

// establish finds the collection and attaches to it.
func establish(ctx context.Context, calls *remote.Calls, c *client, a *address) (*remote.Store, error) {
	found, err := c.describe(ctx, a.collection)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, fmt.Errorf("%w. In Milvus nsfl creates none: fill one with Milvus's own client", engine.ErrNotCollection)
	case param(found.GetProperties(), managed) != "":
		return nil, errors.New("the collection was created by a version of nsfl that stored collections in Milvus, which this one does not: copy it with that version to a directory, to PostgreSQL or to Elasticsearch (nsfl copy)")
	}
	return attach(ctx, calls, c, a, found)
}
