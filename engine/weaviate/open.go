package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"os"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

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
func Open(ctx context.Context, text string, o engine.Options) (*remote.Store, error) {
	_, s, err := open(ctx, text, o)
	return s, err
}

func open(ctx context.Context, text string, o engine.Options) (*driver, *remote.Store, error) {
	a, err := configure(text)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, nil, err
	}
	const doing = "opening the class"
	d := &driver{calls: &remote.Calls{Options: o, Place: a.place(), Reword: reword}, address: a}
	if err := d.connect(); err != nil {
		return nil, nil, errors.Join(d.calls.Explain(doing, err), d.Close())
	}
	var vectors [][]float32
	err = d.calls.Read(ctx, doing, func(ctx context.Context) error {
		return d.Attempt(ctx, func(ctx context.Context) (err error) {
			vectors, err = d.describe(ctx)
			return err
		})
	})
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	s := remote.New(d, d.calls, remote.Config{
		Dimension: d.dim, Limits: remote.UsualLimits, PagesAll: true, Text: true, Roles: d.roles, Columns: d.class.columns(),
		Index: remote.Index{ByLength: d.class.index(d.roles.Vector).Distance != cosine, Most: maxResults},
	})
	for _, v := range vectors {
		s.Look(v)
	}
	return d, s, nil
}

// connect makes the hosts, none of which is asked yet.
func (d *driver) connect() error {
	var security *tls.Config
	if d.address.secure {
		security = new(tls.Config)
	}
	for _, at := range d.address.hosts {
		h, err := newHost(at, security, os.Getenv("WEAVIATE_API_KEY"))
		if err != nil {
			return err
		}
		d.hosts = append(d.hosts, h)
	}
	return nil
}

// Close closes the connections.
func (d *driver) Close() error {
	var errs []error
	for _, h := range d.hosts {
		errs = append(errs, h.close())
	}
	return errors.Join(errs...)
}
