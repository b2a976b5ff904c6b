package milvus

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Attached is a collection that something else has made and filled. It is safe for
// concurrent use.
type Attached struct {
	remote.ReadOnly
	calls *remote.Calls
	table table
	dim   int
	index index
	// uneven says that vectors are not of length 1 and that the index goes by something
	// else than the cosine, whose order is then another.
	uneven atomic.Bool
	reach  remote.Reach
	fields fields
	// dynamic says that entities may have more than the fields, in the dynamic field.
	dynamic bool
	roles   remote.Roles
	columns []remote.Column
	sample  sampled
}

var _ engine.Collection = (*Attached)(nil)

// worded is one that has texts.
type worded struct {
	*Attached
	remote.Words
}

// attach finds out what a collection is made of.
func attach(ctx context.Context, calls *remote.Calls, c *client, a *address, found *wire.DescribeCollectionResponse) (engine.Collection, error) {
	schema := found.GetSchema()
	s := &Attached{
		calls: calls, table: table{client: c, name: a.collection}, roles: a.roles, dynamic: schema.GetEnableDynamicField(),
		fields: slices.DeleteFunc(fields(schema.GetFields()), (*wire.FieldSchema).GetIsDynamic),
	}
	for _, f := range s.fields {
		if f.GetIsPrimaryKey() {
			s.table.key, s.table.numeric = f.GetName(), f.GetDataType() == wire.DataType_Int64
		}
	}
	if err := s.assign(ctx); err != nil {
		return nil, err
	}
	var err error
	if s.dim, err = dimensionOf(s.fields.find(s.roles.Vector)); err != nil {
		return nil, err
	}
	if o := &calls.Options; o.Dimension != 0 && o.Dimension != s.dim {
		return nil, &engine.MismatchError{Dir: calls.Place, What: "dimension", Stored: strconv.Itoa(s.dim), Given: strconv.Itoa(o.Dimension)}
	}
	if s.index, err = c.indexOf(ctx, a.collection, s.roles.Vector); err != nil {
		return nil, err
	}
	switch s.index.metric {
	case cosine:
	case "IP", "L2":
		err = s.measure(ctx)
	default:
		err = engine.BadInput(calls.Place, "the index of %s is by %s, and only COSINE, IP and L2 say which vectors are alike", s.roles.Vector, s.index.metric)
	}
	if err != nil {
		return nil, err
	}
	if s.roles.Text == "" && s.roles.Title == "" {
		return s, nil
	}
	return &worded{s, remote.Words{Store: s, Search: s.bm25(schema.GetFunctions())}}, nil
}

// assign finds out which field is what.
func (s *Attached) assign(ctx context.Context) error {
	columns := s.fields.columns()
	if s.dynamic {
		more, err := s.table.dynamicColumns(ctx)
		if err != nil {
			return err
		}
		columns = append(columns, more...)
		// What no entity has that was looked at, some may have.
		for _, name := range []string{s.roles.Text, s.roles.Title} {
			if !keyable(name) || slices.ContainsFunc(columns, func(c remote.Column) bool { return c.Name == name }) {
				continue
			}
			there, err := s.table.some(ctx, "exists "+dynamicField+"["+quote(name)+"]")
			if err != nil {
				return err
			}
			if there {
				columns = append(columns, remote.Column{Name: name, Type: dynamicType, Kind: remote.Text})
			}
		}
	}
	given := s.roles.ID
	if given == "" {
		s.roles.ID = s.table.key
	}
	roles, err := s.roles.Fill(s.calls.Place, columns)
	if err != nil {
		return err
	}
	s.columns = columns
	if s.roles = roles; s.roles.ID != s.table.key {
		return engine.BadInput(s.calls.Place, "entities are found by their primary key, %s: leave id=%s out", s.table.key, given)
	}
	return nil
}

// isField reports whether a name is that of a field, and not of what the dynamic field has.
func (s *Attached) isField(name string) bool { return s.fields.find(name) != nil }

// measured is how many vectors are read to see whether they are of length 1.
const measured = 100

// measure finds out whether vectors are of length 1.
func (s *Attached) measure(ctx context.Context) error {
	return s.table.pages(ctx, "", "", measured, []string{s.roles.Vector}, func(r *rows) error {
		for i := range r.keys {
			if v := r.vector(i, s.roles.Vector); v != nil && remote.CheckUnit(v, s.dim) != nil {
				s.uneven.Store(true)
			}
		}
		return errEnough
	})
}

// Catalogue are those of the schema, and what was seen in the dynamic field.
func (s *Attached) Catalogue() (fields []string, parts map[string]string) {
	return s.roles.Fields(s.columns)
}
