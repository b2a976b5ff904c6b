package milvus

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// fields are the fields of a schema.
type fields []*wire.FieldSchema

func (f fields) find(name string) *wire.FieldSchema {
	if i := slices.IndexFunc(f, func(f *wire.FieldSchema) bool { return f.GetName() == name }); i >= 0 {
		return f[i]
	}
	return nil
}

func param(pairs []*wire.KeyValuePair, name string) string {
	for _, p := range pairs {
		if p.GetKey() == name {
			return p.GetValue()
		}
	}
	return ""
}

func (f fields) columns() (out []remote.Column) {
	for _, field := range f {
		out = append(out, remote.Column{Name: field.GetName(), Type: typeOf(field), Kind: kindOf(field), Key: field.GetIsPrimaryKey()})
	}
	return out
}

func typeOf(f *wire.FieldSchema) string {
	name := f.GetDataType().String()
	if dim := param(f.GetTypeParams(), "dim"); dim != "" {
		name += "(" + dim + ")"
	}
	if f.GetDataType() == wire.DataType_Array {
		name += " of " + f.GetElementType().String()
	}
	return name
}

func kindOf(f *wire.FieldSchema) remote.Kind {
	switch f.GetDataType() {
	case wire.DataType_VarChar, wire.DataType_Text:
		return remote.Text
	case wire.DataType_Bool, wire.DataType_Int8, wire.DataType_Int16, wire.DataType_Int32, wire.DataType_Int64,
		wire.DataType_Float, wire.DataType_Double, wire.DataType_Array, wire.DataType_Timestamptz:
		return remote.Value
	case wire.DataType_JSON:
		return remote.Object
	case wire.DataType_FloatVector:
		return remote.Vector
	}
	return remote.Other
}

// glimpsed is the number of entities that are read to find the keys of the dynamic field.
const glimpsed = 100

func (t *table) dynamicColumns(ctx context.Context) ([]remote.Column, error) {
	fields := map[string]remote.Kinds{}
	err := t.pages(ctx, "", "", glimpsed, []string{dynamicField}, func(r *rows) error {
		for i := range r.keys {
			remote.AddKinds(fields, r.object(i, dynamicField))
		}
		return errEnough
	})
	keys := slices.DeleteFunc(remote.KindColumns(fields), func(c remote.Column) bool { return strings.Contains(c.Name, ".") })
	return append([]remote.Column{{Name: dynamicField, Type: "dynamic field", Kind: remote.Object}}, keys...), err
}

// cosine is the metric whose scores are similarities.
const cosine = "COSINE"

type index struct {
	kind, metric string
}

func (c *client) indexOf(ctx context.Context, collection, field string) (index, error) {
	answer := new(wire.DescribeIndexResponse)
	err := c.Ask(ctx, "DescribeIndex", &wire.CreateIndexRequest{DbName: c.database, CollectionName: collection, FieldName: field}, answer)
	if err != nil && !refused(err, codeNoIndex, oldNoIndex) {
		return index{}, err
	}
	for _, d := range answer.GetIndexDescriptions() {
		if d.GetFieldName() == field {
			return index{param(d.GetParams(), "index_type"), param(d.GetParams(), "metric_type")}, nil
		}
	}
	return index{}, engine.BadInput(collection, "its field %s has no index, so that it cannot be searched: create one, by COSINE", field)
}

func (x index) exact() bool { return x.kind == "FLAT" || x.kind == "BRUTE_FORCE" }

// target returns the index with the effort that a search of a length needs.
func (x index) target(field string) target {
	return target{field, x.metric, func(limit int) string {
		switch {
		case len(x.kind) >= 4 && x.kind[:4] == "HNSW":
			return `{"ef": ` + strconv.Itoa(min(2*limit+64, 2*maxResults)) + `}`
		case len(x.kind) >= 3 && x.kind[:3] == "IVF":
			return `{"nprobe": 64}`
		}
		return "{}"
	}}
}

// cosine returns the cosine for the score of two vectors of length 1.
func (x index) cosine(score float64) float64 {
	if x.metric == "L2" {
		return 1 - score/2
	}
	return score
}

func (d *driver) attach(ctx context.Context) (remote.Config, error) {
	none, found := remote.Config{}, new(wire.DescribeCollectionResponse)
	c, place := d.table.client, d.calls.Place
	switch err := c.Ask(ctx, "DescribeCollection", &wire.NamedRequest{DbName: c.database, CollectionName: d.table.name}, found); {
	case refused(err, codeNoCollection, oldNoCollection):
		return none, fmt.Errorf("%w. In Milvus nsfl creates none: fill one with Milvus's own client", engine.ErrNotCollection)
	case err != nil:
		return none, err
	}
	schema := found.GetSchema()
	d.dynamic, d.fields = schema.GetEnableDynamicField(), slices.DeleteFunc(fields(schema.GetFields()), (*wire.FieldSchema).GetIsDynamic)
	for _, f := range d.fields {
		if f.GetIsPrimaryKey() {
			d.table.key, d.table.numeric = f.GetName(), f.GetDataType() == wire.DataType_Int64
		}
	}
	if err := d.assign(ctx); err != nil {
		return none, err
	}
	var err error
	if d.dim, err = strconv.Atoi(param(d.fields.find(d.roles.Vector).GetTypeParams(), "dim")); err != nil {
		return none, fmt.Errorf("the field %q has no dimension: %w", d.roles.Vector, errGarbage)
	}
	if d.index, err = c.indexOf(ctx, d.table.name, d.roles.Vector); err != nil {
		return none, err
	}
	if !slices.Contains([]string{cosine, "IP", "L2"}, d.index.metric) {
		return none, engine.BadInput(place, "the index of %s is by %s, and only COSINE, IP and L2 say which vectors are alike", d.roles.Vector, d.index.metric)
	}
	d.bm25 = bm25Of(schema.GetFunctions(), &d.roles)
	return remote.Config{
		Dimension: d.dim, Roles: d.roles, Columns: d.columns, Text: d.roles.Text != "" || d.roles.Title != "", AtOnce: maxPage,
		Index:  remote.Index{ByLength: d.index.metric != cosine, Scored: true, Exact: d.index.exact(), Most: maxResults},
		Limits: remote.Limits{Few: remote.UsualLimits.Few, Cheap: 20_000, Whole: 500_000},
	}, nil
}

func (d *driver) assign(ctx context.Context) error {
	columns := d.fields.columns()
	if d.dynamic {
		more, err := d.table.dynamicColumns(ctx)
		if err != nil {
			return err
		}
		columns = append(columns, more...)
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

func (d *driver) isField(name string) bool { return d.fields.find(name) != nil }
