package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// Attached is a class that something else has filled. It is only read, and safe for
// concurrent use.
type Attached struct {
	remote.ReadOnly
	remote.Words
	*cluster
	dim     int
	class   *foreign
	roles   remote.Roles
	lengths remote.Lengths

	reach  remote.Reach
	limits remote.Limits
}

var (
	_ engine.Collection = (*Attached)(nil)
	_ engine.Worded     = (*Attached)(nil)
)

// describe reads the class and some of its objects.
func (a *Attached) describe(ctx context.Context, h *host) (err error) {
	if err := checkVersion(ctx, h); err != nil {
		return err
	}
	a.class, err = h.foreign(ctx, a.address.collection)
	switch {
	case isNotFound(err):
		return fmt.Errorf("%w. In Weaviate nsfl creates none: fill a class with Weaviate's own client", engine.ErrNotCollection)
	case err != nil:
		return err
	case managed(a.class.Description):
		return errors.New("the class was created by a version of nsfl that stored collections in Weaviate, which this one does not: copy it with that version to a directory, to PostgreSQL or to Elasticsearch (nsfl copy)")
	}
	if err := a.checkTenant(ctx, h); err != nil {
		return err
	}
	if a.roles, err = a.address.roles.Fill(a.address.proposed(), a.class.columns()); err != nil {
		return err
	}
	if err := a.at.find(ctx, h, a.address.collection); err != nil {
		return err
	}
	if a.address.tenant != "" {
		a.at.shards = []string{a.address.tenant} // which has one of its own
	}
	if err := a.look(ctx, h); err != nil {
		return err
	}
	found := remote.Identity{Dimension: a.dim, Encoder: a.calls.Options.Encoder}
	return found.Agrees(a.calls.Place, 0, &a.calls.Options)
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
func (a *Attached) checkTenant(ctx context.Context, h *host) error {
	tenant := a.address.tenant
	if !a.class.MultiTenancyConfig.Enabled {
		if tenant != "" {
			return engine.BadInput("the class "+a.address.collection, "has no tenants: leave tenant= out")
		}
		return nil
	}
	problem := "it has tenants, and the address names none"
	if tenant != "" {
		err := h.rest(ctx, http.MethodGet, "schema/"+a.address.collection+"/tenants/"+url.PathEscape(tenant), nil, nil)
		if !isNotFound(err) {
			return err
		}
		problem = fmt.Sprintf("there is no tenant %q", tenant)
	}
	var tenants []named
	if err := h.rest(ctx, http.MethodGet, "schema/"+a.address.collection+"/tenants", nil, &tenants); err != nil {
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
	return engine.BadInput("the class "+a.address.collection, "%s: say which with tenant=NAME, of %d there are %s", problem, len(tenants), strings.Join(names, ", "))
}

// seen is how many objects tell how long the vectors of all are.
const seen = 100

// look reads some objects, which alone tell the dimension.
func (a *Attached) look(ctx context.Context, h *host) error {
	objects, bare := 0, 0
	_, err := pages(ctx, h, a.request(engine.Vectors), key{}, seen, func(_ key, r *wire.SearchResult) (bool, error) {
		objects++
		v, err := a.vectorIn(r)
		switch {
		case err != nil:
			return false, err
		case v == nil:
			bare++
		case len(v) > engine.MaxDimension:
			return false, fmt.Errorf("its vectors have %d dimensions, at most %d are possible", len(v), engine.MaxDimension)
		default:
			a.dim = len(v)
			a.lengths.Unit(v)
		}
		return true, nil
	})
	switch {
	case err != nil:
		return err
	case objects == 0:
		return fmt.Errorf("the class %s is empty: there is nothing to search yet", a.address.collection)
	case bare == objects:
		return fmt.Errorf("of %d objects of the class %s that were looked at none has the vector %s", objects, a.address.collection, a.roles.Vector)
	}
	return nil
}

// Catalogue are the properties of the class.
func (a *Attached) Catalogue() (fields []string, parts map[string]string) {
	return a.roles.Fields(a.class.columns())
}
