package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// cluster is the servers that a collection is on.
type cluster struct {
	calls   remote.Calls
	address *address
	hosts   []*host
	current atomic.Uint32 // of the hosts the one to ask first
	at      placement     // of the documents
}

// Open attaches to a class on the servers at an address such as
//
//	weaviate://HOST:PORT/?collection=NAME&grpc=HOST:PORT
//
// for reading. Of a cluster, several nodes can be named (weaviate://A:8080,B:8080/): where
// one does not answer, the next is asked. Without grpc=, port 50051 of the same hosts is
// used. The setting scheme is http or https; id, vector, text, title and metadata name the
// properties and the vector that have these roles, as far as that is not clear, and tenant
// the tenant. The API key, where the server wants one, is in the environment variable
// WEAVIATE_API_KEY.
//
// It returns engine.ErrNotCollection where there is no such class and *engine.MismatchError
// where its vectors have another dimension than asked for.
func Open(ctx context.Context, text string, o engine.Options) (*Attached, error) {
	a, err := configure(text)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	c := &cluster{calls: remote.Calls{Options: o, Place: a.place(), Reword: reword}, address: a}
	if err := c.connect(); err != nil {
		return nil, errors.Join(c.calls.Explain("opening the class", err), c.Close())
	}
	opened, err := c.open(ctx)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return opened, nil
}

// connect makes the hosts, none of which is asked yet.
func (c *cluster) connect() error {
	var security *tls.Config
	if c.address.secure {
		security = new(tls.Config)
	}
	for _, at := range c.address.hosts {
		h, err := newHost(at, security, os.Getenv("WEAVIATE_API_KEY"))
		if err != nil {
			return err
		}
		c.hosts = append(c.hosts, h)
	}
	return nil
}

// open attaches to the class.
func (c *cluster) open(ctx context.Context) (*Attached, error) {
	a := &Attached{cluster: c, limits: remote.UsualLimits}
	a.Words.Store = a
	if err := c.read(ctx, "opening the class", a.describe); err != nil {
		return nil, err
	}
	if len(a.searched()) > 0 {
		a.Words.Search = a.search
	}
	return a, nil
}

// Close waits for the calls in progress and closes the connections.
func (c *cluster) Close() error {
	return c.calls.Close(func() error {
		var errs []error
		for _, h := range c.hosts {
			errs = append(errs, h.close())
		}
		return errors.Join(errs...)
	})
}
