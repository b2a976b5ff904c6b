package milvus

import (
	"context"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// attach inspects a collection.
func attach(ctx context.Context, calls *remote.Calls, c *client, a *remote.Address) (*remote.Store, error) {
	found := new(wire.DescribeCollectionResponse)
	switch err := c.Ask(ctx, "DescribeCollection", &wire.NamedRequest{DbName: c.database, CollectionName: a.Collection}, found); {
	case refused(err, codeNoCollection, oldNoCollection):
		return nil, fmt.Errorf("%w. In Milvus nsfl creates none: fill one with Milvus's own client", engine.ErrNotCollection)
	case err != nil:
		return nil, err
	}
	schema := found.GetSchema()
	d := &driver{
		calls: calls, table: table{client: c, name: a.Collection}, roles: a.Roles, dynamic: schema.GetEnableDynamicField(),
		fields: slices.DeleteFunc(fields(schema.GetFields()), (*wire.FieldSchema).GetIsDynamic),
	}
	for _, f := range d.fields {
		if f.GetIsPrimaryKey() {
			d.table.key, d.table.numeric = f.GetName(), f.GetDataType() == wire.DataType_Int64
		}
	}
	if err := d.assign(ctx); err != nil {
		return nil, err
	}
	var err error
	if d.dim, err = dimensionOf(d.fields.find(d.roles.Vector)); err != nil {
		return nil, err
	}
	o := calls.Options
	o.Encoder = "" // which nobody knows
	if err := (remote.Identity{Dimension: d.dim}).Agrees(calls.Place, 0, &o); err != nil {
		return nil, err
	}
	if d.index, err = c.indexOf(ctx, a.Collection, d.roles.Vector); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{cosine, "IP", "L2"}, d.index.metric) {
		return nil, engine.BadInput(calls.Place, "the index of %s is by %s, and only COSINE, IP and L2 say which vectors are alike", d.roles.Vector, d.index.metric)
	}
	d.bm25 = bm25Of(schema.GetFunctions(), &d.roles)
	s := remote.New(d, calls, remote.Config{
		Dimension: d.dim, Roles: d.roles, Columns: d.columns, Text: d.roles.Text != "" || d.roles.Title != "", AtOnce: maxPage,
		Index:  remote.Index{ByLength: d.index.metric != cosine, Scored: true, Exact: d.index.exact(), Most: maxResults},
		Limits: remote.Limits{Few: remote.UsualLimits.Few, Cheap: 20_000, Whole: 500_000},
	})
	return s, s.Inspect(ctx)
}

// assign determines the role of each field.
func (d *driver) assign(ctx context.Context) error {
	columns := d.fields.columns()
	if d.dynamic {
		more, err := d.table.dynamicColumns(ctx)
		if err != nil {
			return err
		}
		columns = append(columns, more...)
		// What no entity has that was looked at, some may have.
		for _, name := range []string{d.roles.Text, d.roles.Title} {
			if !keyable(name) || slices.ContainsFunc(columns, func(c remote.Column) bool { return c.Name == name }) {
				continue
			}
			there, err := d.table.some(ctx, "exists "+dynamicField+"["+quote(name)+"]")
			if err != nil {
				return err
			}
			if there {
				columns = append(columns, remote.Column{Name: name, Type: dynamicType, Kind: remote.Text})
			}
		}
	}
	given := d.roles.ID
	if given == "" {
		d.roles.ID = d.table.key
	}
	roles, err := d.roles.Fill(d.calls.Place, columns)
	if err != nil {
		return err
	}
	d.columns = columns
	if d.roles = roles; d.roles.ID != d.table.key {
		return engine.BadInput(d.calls.Place, "entities are found by their primary key, %s: leave id=%s out", d.table.key, given)
	}
	return nil
}

// isField reports whether a name is a field of the schema and not a key of the dynamic field.
func (d *driver) isField(name string) bool { return d.fields.find(name) != nil }
