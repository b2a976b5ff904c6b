package milvus

import (
	"context"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Store is a collection of our own making. It is safe for concurrent use.
type Store struct {
	reader
	encoder string
	notes   table
}

var _ engine.Collection = (*Store)(nil)

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connection. What was stored to be
// searched later gets its indexes first: until then, Milvus compares it one by one. Where
// that fails the server does it later by itself.
func (s *Store) Close() error {
	return s.calls.Close(func() error {
		if o := &s.calls.Options; o.Fill && !o.ReadOnly {
			ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
			defer cancel()
			for _, t := range []*table{&s.table, s.passages} {
				_ = t.ask(ctx, "Flush", &wire.NamedRequest{DbName: t.database, CollectionName: t.name}, new(wire.MutationResult))
			}
		}
		return s.table.close()
	})
}

// format is that of the collections which this version makes.
const format = 1

// marker is the property of one of Milvus's collections that says what ours is.
const marker = "nsfl"

// What follows the name of a collection in those of Milvus's that hold passages and notes.
const passagesSuffix, notesSuffix = "_passages", "_notes"

// settings are what a collection says about itself.
type settings struct {
	Format    int    `json:"format"`
	Dimension int    `json:"dimension"`
	Encoder   string `json:"encoder"`
}

// settingsOf reads them; nil where a collection has none and is somebody else's.
func settingsOf(found *wire.DescribeCollectionResponse) (*settings, error) {
	text := param(found.GetProperties(), marker)
	if text == "" {
		return nil, nil
	}
	s := new(settings)
	if err := json.Unmarshal([]byte(text), s); err != nil || s.Format < 1 || s.Format <= format && (s.Dimension < 1 || s.Dimension > engine.MaxDimension) {
		return nil, fmt.Errorf("the collection's property %s has been changed: it says %.100q", marker, text)
	}
	return s, nil
}

// open finds out what a collection of our own is, and has it loaded.
func open(ctx context.Context, calls *pooling.Calls, c *client, a *address, found *settings) (*Store, error) {
	if err := pooling.Identity(*found).Agrees(calls.Place, format, &calls.Options); err != nil {
		return nil, err
	}
	if a.roles != (attached.Roles{}) {
		return nil, engine.BadInput(calls.Place, "the collection is one of nsfl's own, whose fields are known: leave %s out", a.roles)
	}
	of := func(suffix string) table { return table{client: c, name: a.collection + suffix, key: keyField} }
	passages := of(passagesSuffix)
	s := &Store{
		reader: reader{
			calls: calls, table: of(""), passages: &passages, vector: vectorField, dim: found.Dimension,
			index: index{kind: indexKind, metric: cosine},
		},
		encoder: found.Encoder, notes: of(notesSuffix),
	}
	s.shape = s
	for _, t := range []*table{&s.notes, s.passages, &s.table} {
		if err := t.ready(ctx, calls.Options.ReadOnly); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// create makes Milvus's collections, that of the documents last: where it is, all are.
// Whoever comes second finds them made.
func create(ctx context.Context, c *client, a *address, o *engine.Options) error {
	said, err := json.Marshal(settings{format, o.Dimension, o.Encoder})
	if err != nil {
		return err
	}
	for _, made := range []struct {
		suffix string
		fields []*wire.FieldSchema
	}{{notesSuffix, noteFields()}, {passagesSuffix, passageFields(o.Dimension)}, {"", documentFields(o.Dimension)}} {
		schema, err := proto.Marshal(&wire.CollectionSchema{Name: a.collection + made.suffix, Fields: made.fields})
		if err != nil {
			return err
		}
		failure := c.tell(ctx, "CreateCollection", &wire.CreateCollectionRequest{
			DbName: c.database, CollectionName: a.collection + made.suffix, Schema: schema, ShardsNum: 1, Properties: []*wire.KeyValuePair{pair(marker, string(said))},
		})
		if failure == nil {
			continue
		}
		if there, err := c.describe(ctx, a.collection+made.suffix); err != nil || there == nil {
			return failure
		}
	}
	return nil
}

// ready has a collection's indexes made, where it may, and has it loaded.
func (t *table) ready(ctx context.Context, readOnly bool) error {
	found, err := t.describe(ctx, t.name)
	if err != nil {
		return err
	}
	for _, f := range found.GetSchema().GetFields() {
		params := indexes[f.GetDataType()]
		if params == nil || readOnly {
			continue
		}
		if _, err := t.indexOf(ctx, t.name, f.GetName()); err == nil {
			continue
		}
		err := t.tell(ctx, "CreateIndex", &wire.CreateIndexRequest{DbName: t.database, CollectionName: t.name, FieldName: f.GetName(), ExtraParams: params})
		if err != nil {
			if _, other := t.indexOf(ctx, t.name, f.GetName()); other != nil {
				return err
			}
		}
	}
	return t.tell(ctx, "LoadCollection", &wire.NamedRequest{DbName: t.database, CollectionName: t.name})
}
