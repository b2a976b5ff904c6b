package elastic

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// maxDimension is the limit of Elasticsearch.
const maxDimension = 4096

// Open opens a collection on the server at an address such as
//
//	elastic://USER@HOST:PORT/?collection=NAME&tls=true
//
// Only the host is required. If this package created the index, or the index of the alias,
// Open returns a *Store. If another program did, Open returns a read-only *remote.Store, and
//
//	vector=FIELD&text=FIELD&title=FIELD&metadata=FIELD
//
// assign roles to fields if the mapping leaves a choice. If there is no index and a dimension
// is given, Open creates a collection.
//
// The password is in the environment variable ELASTIC_PASSWORD or in the address, the key
// where a server wants one in ELASTIC_API_KEY or in the setting api_key.
//
// With Options.Fill, searches find new documents only after the collection is closed.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, text string, o engine.Options) (engine.Collection, error) {
	a, err := configure(text)
	if err == nil {
		err = remote.Defaults(&o, maxDimension)
	}
	if err != nil {
		return nil, err
	}
	d := &driver{calls: &remote.Calls{Options: o, Place: a.Place()}}
	if d.client, err = newClient(a); err != nil {
		return nil, err
	}
	var c engine.Collection
	err = d.calls.Read(ctx, "opening the collection", func(ctx context.Context) (err error) {
		c, err = d.open(ctx, a.Roles)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return c, nil
}

// limits are how many documents are compared without an index.
var limits = remote.Limits{Few: remote.UsualLimits.Few, Cheap: 10_000, Whole: 100_000}

func (d *driver) open(ctx context.Context, roles remote.Roles) (engine.Collection, error) {
	ctx = remote.Partial(ctx)
	o := &d.calls.Options
	found, err := d.describe(ctx)
	if found == nil && err == nil && !o.ReadOnly && o.Dimension > 0 && roles == (remote.Roles{}) {
		if err := d.create(ctx); err != nil {
			return nil, err
		}
		found, err = d.describe(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, engine.ErrNotCollection
	}
	if d.shards, err = found.shards(); err != nil {
		return nil, err
	}
	if found.Mappings.Meta.Settings == nil {
		s, err := d.attach(ctx, found, roles)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	if roles != (remote.Roles{}) {
		return nil, engine.BadInput("address", "the collection is managed by nsfl, which knows its fields: leave out %s", roles)
	}
	return d.manage(found.Mappings.Meta.Settings)
}

// create creates the index, unless another client has created it meanwhile.
func (d *driver) create(ctx context.Context) error {
	o := &d.calls.Options
	err := d.ask(ctx, http.MethodPut, "", newIndex(remote.Identity{Format: format, Dimension: o.Dimension, Encoder: o.Encoder}), new(struct{}))
	if err == nil || !remote.Refused(err, http.StatusBadRequest) {
		return err
	}
	if found, other := d.describe(ctx); other != nil || found == nil {
		return err
	}
	return nil
}

func (d *driver) manage(found *remote.Identity) (engine.Collection, error) {
	if err := found.Agrees(d.calls.Place, format, &d.calls.Options); err != nil {
		return nil, err
	}
	if found.Format < 1 || found.Dimension < 1 || found.Dimension > maxDimension {
		return nil, fmt.Errorf("the description of the collection in the mapping has been changed: format %d, dimension %d", found.Format, found.Dimension)
	}
	d.dim, d.layout = found.Dimension, managed{found.Dimension}
	s := remote.New(managedDriver{d}, d.calls, remote.Config{
		Dimension: d.dim, Index: remote.Index{Passages: true, Scored: true, Most: maxResults}, Limits: limits, Text: true, AtOnce: pageDocuments,
	})
	return &Store{s, d, found.Encoder}, nil
}
