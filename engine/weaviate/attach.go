package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// describe reads the class and returns the vectors of some objects.
func (d *driver) describe(ctx context.Context) (vectors [][]float32, err error) {
	h := hostOf(ctx)
	if err := checkVersion(ctx, h); err != nil {
		return nil, err
	}
	d.class, err = h.class(ctx, d.address.collection)
	switch {
	case isNotFound(err):
		return nil, fmt.Errorf("%w. In Weaviate nsfl creates none: fill a class with Weaviate's own client", engine.ErrNotCollection)
	case err != nil:
		return nil, err
	case managed(d.class.Description):
		return nil, errors.New("the class was created by a version of nsfl that stored collections in Weaviate, which this one does not: copy it with that version to a directory, to PostgreSQL or to Elasticsearch (nsfl copy)")
	}
	if err := d.checkTenant(ctx, h); err != nil {
		return nil, err
	}
	if d.roles, err = d.address.roles.Fill(d.address.proposed(), d.class.columns()); err != nil {
		return nil, err
	}
	if err := d.at.find(ctx, h, d.address.collection); err != nil {
		return nil, err
	}
	if d.address.tenant != "" {
		d.at.shards = []string{d.address.tenant} // which has one of its own
	}
	if vectors, err = d.look(ctx); err != nil {
		return nil, err
	}
	found := remote.Identity{Dimension: d.dim, Encoder: d.calls.Options.Encoder}
	return vectors, found.Agrees(d.calls.Place, 0, &d.calls.Options)
}

// checkVersion refuses a server that does not know what this package asks of it.
func checkVersion(ctx context.Context, h *host) error {
	version, err := h.version(ctx)
	switch {
	case isNotFound(err):
		return fmt.Errorf("reading the server's version: %w", errGarbage)
	case err != nil:
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("the server's version is %.40q: %w", version, errGarbage)
	}
	if major == 1 && minor < 33 {
		return fmt.Errorf("the server is Weaviate %.40s, and 1.33 or later is needed", version)
	}
	return nil
}

// checkTenant is an error where a tenant has to be named, or is not there.
func (d *driver) checkTenant(ctx context.Context, h *host) error {
	tenant := d.address.tenant
	if !d.class.MultiTenancyConfig.Enabled {
		if tenant != "" {
			return engine.BadInput("the class "+d.address.collection, "has no tenants: leave tenant= out")
		}
		return nil
	}
	problem := "it has tenants, and the address names none"
	if tenant != "" {
		err := h.get(ctx, "schema/"+d.address.collection+"/tenants/"+url.PathEscape(tenant), nil)
		if !isNotFound(err) {
			return err
		}
		problem = fmt.Sprintf("there is no tenant %q", tenant)
	}
	var tenants []named
	if err := h.get(ctx, "schema/"+d.address.collection+"/tenants", &tenants); err != nil {
		return err
	}
	var names []string
	for _, t := range tenants {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	const some = 10
	if len(names) > some {
		names = append(names[:some], "…")
	}
	return engine.BadInput("the class "+d.address.collection, "%s: say which with tenant=NAME, of %d there are %s", problem, len(tenants), strings.Join(names, ", "))
}

// seen is the number of objects that are inspected.
const seen = 100

// look reads some objects, which alone tell the dimension.
func (d *driver) look(ctx context.Context) (vectors [][]float32, err error) {
	objects := 0
	err = pages(ctx, d.request(remote.Want{Parts: engine.Vectors}), key{}, seen, func(r *wire.SearchResult) (bool, error) {
		objects++
		v, err := d.vectorIn(r)
		switch {
		case err != nil || v == nil:
			return objects < seen, err
		case len(v) > engine.MaxDimension:
			return false, fmt.Errorf("its vectors have %d dimensions, at most %d are possible", len(v), engine.MaxDimension)
		}
		d.dim, vectors = len(v), append(vectors, v)
		return objects < seen, nil
	})
	switch {
	case err != nil:
		return nil, err
	case objects == 0:
		return nil, fmt.Errorf("the class %s is empty: there is nothing to search yet", d.address.collection)
	case len(vectors) == 0:
		return nil, fmt.Errorf("of %d objects of the class %s that were looked at none has the vector %s", objects, d.address.collection, d.roles.Vector)
	}
	return vectors, nil
}
