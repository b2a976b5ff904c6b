package chroma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

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

func (d *driver) attach(ctx context.Context) error {
	if d.at.Collection == "" {
		return d.unnamed(ctx, "the address names no collection")
	}
	var c description
	err := d.Ask(ctx, http.MethodGet, d.collections+"/"+url.PathEscape(d.at.Collection), nil, &c)
	if e := (*webclient.StatusError)(nil); errors.As(err, &e) && e.Code == http.StatusNotFound {
		return d.unnamed(ctx, fmt.Sprintf("there is no such collection (%s)", e.Message))
	}
	if err == nil {
		err = d.describe(&c)
	}
	if err != nil {
		return err
	}
	return d.look(ctx)
}

func (d *driver) unnamed(ctx context.Context, problem string) error {
	var list []struct {
		Name string `json:"name"`
	}
	err := d.Ask(ctx, http.MethodGet, d.collections+"?limit=11", nil, &list)
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	return remote.NoCollection("Chroma", problem, names, err)
}

type space struct {
	Space string `json:"space"`
}

type description struct {
	ID            string         `json:"id"`
	Dimension     *int           `json:"dimension"`
	Metadata      map[string]any `json:"metadata"`
	Configuration struct {
		HNSW, SPANN *space
	} `json:"configuration_json"`
}

func (d *driver) describe(c *description) error {
	switch {
	case c.ID == "":
		return remote.BadAnswer("a collection has no id")
	case c.Dimension == nil:
		return errors.New("the collection is empty: there is nothing to search yet")
	}
	d.dim, d.space = *c.Dimension, square // Chroma's default
	if space, ok := c.Metadata["hnsw:space"].(string); ok {
		d.space = space
	}
	for _, i := range []*space{c.Configuration.HNSW, c.Configuration.SPANN} {
		if i != nil {
			d.space = cmp.Or(i.Space, d.space)
		}
	}
	if !slices.Contains([]string{cosine, inner, square}, d.space) {
		return fmt.Errorf("the collection has the space %.40q; those known are %s, %s and %s", d.space, cosine, inner, square)
	}
	d.path = d.collections + "/" + url.PathEscape(c.ID)
	return nil
}

// seen is the number of records that are inspected.
const seen = 100

func (d *driver) look(ctx context.Context) error {
	refs, err := d.Sample(ctx, seen)
	if err != nil {
		return err
	}
	a, err := d.get(ctx, map[string]any{"ids": idsOf(refs)}, "documents", "metadatas")
	if err != nil {
		return err
	}
	documents, fields := false, map[string]remote.Kinds{}
	for i := range a.IDs {
		documents = documents || remote.TextOf(a.Documents[i]) != ""
		remote.AddKinds(fields, a.Metadatas[i])
	}
	columns := remote.KindColumns(fields)
	for _, key := range []string{d.at.Roles.Title, d.at.Roles.Text} {
		if key != "" && fields[key] == 0 {
			return remote.UnknownField("Chroma", key, len(refs), columns)
		}
	}
	d.roles = remote.Roles{ID: theID, Vector: theEmbedding, Text: d.at.Roles.Text, Title: d.at.Roles.Title}
	if documents && d.roles.Text == "" {
		d.roles.Text = theDocument
	}
	columns = append(columns, remote.Column{Name: theID, Kind: remote.Text, Key: true},
		remote.Column{Name: theEmbedding, Kind: remote.Vector}, remote.Column{Name: theDocument, Kind: remote.Text})
	d.columns = columns
	d.roles, err = d.roles.Fill(d.calls.Place, columns)
	return err
}
