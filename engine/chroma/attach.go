package chroma

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// The spaces that an index of Chroma's has.
const (
	cosine = "cosine"
	inner  = "ip"
	square = "l2" // the square of the distance
)

// The names of the parts of a record, besides metadata.
const (
	theID        = "#id"
	theEmbedding = "#embedding"
	theDocument  = "#document"
)

// attach finds the collection, and what its records are like. It returns some vectors.
func (d *driver) attach(ctx context.Context) (vectors [][]float32, err error) {
	if d.at.collection == "" {
		return nil, d.unnamed(ctx, "the address names no collection")
	}
	answer, err := d.ask(ctx, http.MethodGet, d.collections+"/"+url.PathEscape(d.at.collection), nil)
	if e := (*webclient.StatusError)(nil); errors.As(err, &e) && e.Code == http.StatusNotFound {
		return nil, d.unnamed(ctx, fmt.Sprintf("there is no such collection (%s)", e.Message))
	}
	if err != nil {
		return nil, err
	}
	if err := d.describe(answer); err != nil {
		return nil, err
	}
	found := remote.Identity{Dimension: d.dim, Encoder: d.calls.Options.Encoder}
	if err := found.Agrees(d.calls.Place, 0, &d.calls.Options); err != nil {
		return nil, err
	}
	return d.look(ctx)
}

// unnamed returns an error that lists the collections.
func (d *driver) unnamed(ctx context.Context, problem string) error {
	const some = 10
	answer, err := d.ask(ctx, http.MethodGet, d.collections+fmt.Sprintf("?limit=%d", some), nil)
	var list []struct {
		Name string `json:"name"`
	}
	if err == nil {
		err = json.Unmarshal(answer, &list)
	}
	there := "the server has none"
	switch {
	case err != nil:
		there = "those of the server cannot be listed"
	case len(list) > 0:
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		there = "the server has " + strings.Join(names, ", ")
		if len(list) == some {
			there += ", …"
		}
	}
	return fmt.Errorf("%s; %s. In Chroma nsfl makes none: store with Chroma's own client, and search with ?collection=NAME", problem, there)
}

// describe reads the description of the collection.
func (d *driver) describe(answer []byte) error {
	type index struct {
		Space string `json:"space"`
	}
	var c struct {
		ID            string         `json:"id"`
		Dimension     *int           `json:"dimension"`
		Metadata      map[string]any `json:"metadata"`
		Configuration struct {
			HNSW, SPANN *index
		} `json:"configuration_json"`
	}
	if err := json.Unmarshal(answer, &c); err != nil || c.ID == "" {
		return &formError{"a collection has no id"}
	}
	_, before := c.Metadata["nsfl-format"]
	switch {
	case before:
		return errors.New("the collection was made by an nsfl that stored collections of its own in Chroma, which this one does not: with that version, copy it to a directory or to another engine with nsfl copy")
	case c.Dimension == nil:
		return errors.New("the collection is empty: there is nothing to search yet")
	case *c.Dimension < 1 || *c.Dimension > engine.MaxDimension:
		return fmt.Errorf("the collection says that its vectors have %d dimensions", *c.Dimension)
	}
	d.dim, d.space = *c.Dimension, square // Chroma's default
	if space, ok := c.Metadata["hnsw:space"].(string); ok {
		d.space = space
	}
	for _, i := range []*index{c.Configuration.HNSW, c.Configuration.SPANN} {
		if i != nil {
			d.space = cmp.Or(i.Space, d.space)
		}
	}
	if !slices.Contains([]string{cosine, inner, square}, d.space) {
		return fmt.Errorf("the collection has the space %.40q; those known are %s, %s and %s", d.space, cosine, inner, square)
	}
	d.address = d.collections + "/" + url.PathEscape(c.ID)
	return nil
}

// seen is the number of records that are inspected.
const seen = 100

// look inspects some records: which parts they have, and their vectors.
func (d *driver) look(ctx context.Context) (vectors [][]float32, err error) {
	refs, err := d.Sample(ctx, seen)
	if err != nil {
		return nil, err
	}
	documents, fields := false, map[string]kind{}
	err = d.pieces(ctx, idsOf(refs), []string{"documents", "embeddings", "metadatas"}, func(a *answer) error {
		vectors = append(vectors, a.Embeddings...)
		for i := range a.IDs {
			documents = documents || a.Documents[i] != nil
			kindsOf(fields, a.Metadatas[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	columns := columnsOf(fields)
	for _, key := range []string{d.at.title, d.at.text} {
		if key != "" && fields[key] == 0 {
			return nil, unknownKey(key, len(refs), columns)
		}
	}
	d.roles = remote.Roles{ID: theID, Vector: theEmbedding, Text: d.at.text, Title: d.at.title}
	if documents && d.roles.Text == "" {
		d.roles.Text = theDocument
	}
	columns = append(columns, remote.Column{Name: theID, Kind: remote.Text, Key: true},
		remote.Column{Name: theEmbedding, Kind: remote.Vector}, remote.Column{Name: theDocument, Kind: remote.Text})
	d.columns = columns
	d.roles, err = d.roles.Fill(d.calls.Place, columns)
	return vectors, err
}

// unknownKey returns an error that lists the keys of records.
func unknownKey(key string, records int, columns []remote.Column) error {
	var known []string
	for _, c := range columns {
		known = append(known, fmt.Sprintf("%s (%s)", c.Name, c.Type))
	}
	return engine.BadInput("the address of a Chroma store", "none of the %d records that were looked at has %q in its metadata; there are: %s", records, key, cmp.Or(strings.Join(known, ", "), "no keys"))
}
