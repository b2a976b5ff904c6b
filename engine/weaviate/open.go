package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/remote/rpc"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// Open attaches to a class on the server at an address such as
//
//	weaviate://HOST:PORT/?collection=NAME&grpc=HOST:PORT
//
// for reading. Without grpc=, port 50051 of the same host is used. The settings id, vector,
// text, title and metadata name the properties and the vector that have these roles, as far as
// that is not clear; tenant names the tenant, and tls=true encrypts both connections. The API
// key, if the server wants one, is in the environment variable WEAVIATE_API_KEY.
//
// It returns engine.ErrNotCollection if there is no such class and *engine.MismatchError if
// its vectors have another dimension than requested.
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
	d := &driver{calls: &remote.Calls{Options: o, Place: a.Place(), Reword: rpc.Reword(advice)}, address: a}
	var security *tls.Config
	if a.TLS {
		security = new(tls.Config)
	}
	if d.client, err = newClient(a, security); err != nil {
		return nil, nil, d.calls.Explain("attaching to the class", err)
	}
	s, err := remote.Attach(ctx, d, d.calls, func(ctx context.Context) (c remote.Config, err error) {
		if err := d.describe(ctx); err != nil {
			return c, err
		}
		return remote.Config{
			Dimension: d.dim, Limits: remote.UsualLimits, PagesAll: true, Text: true, Roles: d.roles, Columns: d.class.columns(), AtOnce: 500,
			Index: remote.Index{ByLength: d.class.index(d.roles.Vector).Distance != cosine, Most: maxResults},
		}, nil
	})
	return d, s, err
}

func (d *driver) describe(ctx context.Context) (err error) {
	if err := d.checkVersion(ctx); err != nil {
		return err
	}
	d.class = new(class)
	switch err := d.get(ctx, "schema/"+d.address.Collection, d.class); {
	case isNotFound(err):
		return fmt.Errorf("%w. In Weaviate nsfl creates none: fill a class with Weaviate's own client", engine.ErrNotCollection)
	case err != nil:
		return err
	}
	if err := d.checkTenant(ctx); err != nil {
		return err
	}
	if d.roles, err = d.address.Roles.Fill(d.calls.Place, d.class.columns()); err != nil {
		return err
	}
	if err := d.findShards(ctx); err != nil {
		return err
	}
	return d.measure(ctx)
}

// checkVersion refuses a server that is too old for this package.
func (d *driver) checkVersion(ctx context.Context) error {
	var meta struct{ Version string }
	if err := d.get(ctx, "meta", &meta); err != nil {
		if bad := (*remote.AnswerError)(nil); isNotFound(err) || errors.As(err, &bad) || errors.Is(err, remote.ErrLarge) {
			return fmt.Errorf("reading the server's version: %w: %w", err, errGarbage)
		}
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(meta.Version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("the server's version is %.40q: %w", meta.Version, errGarbage)
	}
	if major == 1 && minor < 33 {
		return fmt.Errorf("the server is Weaviate %.40s, and 1.33 or later is needed", meta.Version)
	}
	return nil
}

func (d *driver) checkTenant(ctx context.Context) error {
	tenant := d.address.Settings["tenant"]
	if !d.class.MultiTenancyConfig.Enabled {
		if tenant != "" {
			return engine.BadInput("the class "+d.address.Collection, "has no tenants: leave tenant= out")
		}
		return nil
	}
	problem := "it has tenants, and the address names none"
	if tenant != "" {
		err := d.get(ctx, "schema/"+d.address.Collection+"/tenants/"+url.PathEscape(tenant), nil)
		if !isNotFound(err) {
			return err
		}
		problem = fmt.Sprintf("there is no tenant %q", tenant)
	}
	var tenants []named
	if err := d.get(ctx, "schema/"+d.address.Collection+"/tenants", &tenants); err != nil {
		return err
	}
	names := namesOf(tenants)
	const some = 10
	if len(names) > some {
		names = append(names[:some], "…")
	}
	return engine.BadInput("the class "+d.address.Collection, "%s: say which with tenant=NAME, of %d there are %s", problem, len(tenants), strings.Join(names, ", "))
}

type named struct{ Name string }

func namesOf(objects []named) (names []string) {
	for _, o := range objects {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return names
}

// measure reads an object with a vector: only objects tell the dimension.
func (d *driver) measure(ctx context.Context) error {
	const seen = 100
	objects := 0
	err := d.pages(ctx, d.request(remote.Want{Parts: engine.Vectors}), key{}, seen, func(r *wire.SearchResult) (bool, error) {
		objects++
		v, err := d.vectorIn(r)
		d.dim = len(v)
		return d.dim == 0 && objects < seen, err
	})
	switch {
	case err != nil:
		return err
	case objects == 0:
		return fmt.Errorf("the class %s is empty: there is nothing to search yet", d.address.Collection)
	case d.dim == 0:
		return fmt.Errorf("of %d objects of the class %s that were looked at none has the vector %s", objects, d.address.Collection, d.roles.Vector)
	}
	return nil
}
