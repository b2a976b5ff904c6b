package elastic

import (
	"context"
	"fmt"
	"net/http"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// maxDimension is the most that Elasticsearch takes.
const maxDimension = 4096

// Open opens a collection on the server at an address such as
//
//	elastic://USER@HOST:PORT/?collection=NAME&tls=true
//
// of which only the host is needed. Where an index of the name, or the one that an alias
// leads to, was made by this package, it is that collection, a *Store; where it was made by
// something else, it is attached to, an *Attached, and
//
//	vector=FIELD&text=FIELD&title=FIELD&metadata=FIELD
//
// say which fields are what, as far as its mapping leaves that open. Where there is no
// index and a dimension is given, a collection is made.
//
// The password is in the environment variable ELASTIC_PASSWORD or in the address, the key
// where a server wants one in ELASTIC_API_KEY or in the setting api_key.
//
// With Options.Fill, what is stored is found when the collection is closed.
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
	s := &reader{client: newClient(a), calls: remote.Calls{Options: o, Place: a.place()}, few: 10_000, most: 100_000}
	var c engine.Collection
	err = s.calls.Read(ctx, "opening the collection", func(ctx context.Context) (err error) {
		c, err = s.open(ctx, a.roles)
		return err
	})
	if err != nil {
		s.http.CloseIdleConnections()
		return nil, err
	}
	return c, nil
}

// open finds out what there is, and makes it where it may and has to.
func (s *reader) open(ctx context.Context, roles remote.Roles) (engine.Collection, error) {
	o := &s.calls.Options
	d, err := s.describe(ctx)
	if d == nil && err == nil && !o.ReadOnly && o.Dimension > 0 && roles == (remote.Roles{}) {
		if err := s.create(ctx); err != nil {
			return nil, err
		}
		d, err = s.describe(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, engine.ErrNotCollection
	}
	if s.shards, err = d.shards(); err != nil {
		return nil, err
	}
	if d.Mappings.Meta.Settings == nil {
		return s.attach(ctx, d, roles)
	}
	if roles != (remote.Roles{}) {
		return nil, engine.BadInput("address", "the collection is one of nsfl's own, whose fields need not be named: leave out %s", roles)
	}
	return s.own(d.Mappings.Meta.Settings)
}

// create makes the index. Whoever comes second finds it made.
func (s *reader) create(ctx context.Context) error {
	o := &s.calls.Options
	err := s.ask(ctx, http.MethodPut, "", newIndex(settings{format, o.Dimension, o.Encoder}), new(struct{}))
	if err == nil || !refused(err, http.StatusBadRequest) {
		return err
	}
	if d, other := s.describe(ctx); other != nil || d == nil {
		return err
	}
	return nil
}

// own opens a collection of ours.
func (s *reader) own(found *settings) (*Store, error) {
	if err := remote.Identity(*found).Agrees(s.calls.Place, format, &s.calls.Options); err != nil {
		return nil, err
	}
	if found.Format < 1 || found.Dimension < 1 || found.Dimension > maxDimension {
		return nil, fmt.Errorf("what the mapping says about the collection has been changed: format %d, dimension %d", found.Format, found.Dimension)
	}
	s.dim, s.form = found.Dimension, ours{found.Dimension}
	return &Store{s, found.Encoder}, nil
}
