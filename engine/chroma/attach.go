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
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// The spaces that an index of Chroma's has.
const (
	cosine = "cosine"
	inner  = "ip"
	square = "l2" // the square of the distance
)

// What a record has besides its metadata, as Chroma names it.
const (
	theID        = "#id"
	theEmbedding = "#embedding"
	theDocument  = "#document"
)

// attach finds the collection, and what its records are like.
func (s *Store) attach(ctx context.Context) error {
	if s.at.collection == "" {
		return s.unnamed(ctx, "the address names no collection")
	}
	answer, err := s.ask(ctx, http.MethodGet, s.collections+"/"+url.PathEscape(s.at.collection), nil)
	if e := (*webclient.StatusError)(nil); errors.As(err, &e) && e.Code == http.StatusNotFound {
		return s.unnamed(ctx, fmt.Sprintf("there is no such collection (%s)", e.Message))
	}
	if err != nil {
		return err
	}
	if err := s.describe(answer); err != nil {
		return err
	}
	found := pooling.Identity{Dimension: s.dim, Encoder: s.calls.Options.Encoder}
	if err := found.Agrees(s.calls.Place, 0, &s.calls.Options); err != nil {
		return err
	}
	return s.look(ctx)
}

// unnamed is the error that lists the collections which there are.
func (s *Store) unnamed(ctx context.Context, problem string) error {
	const some = 10
	answer, err := s.ask(ctx, http.MethodGet, s.collections+fmt.Sprintf("?limit=%d", some), nil)
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

// describe reads what Chroma says about the collection.
func (s *Store) describe(answer []byte) error {
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
	s.dim, s.space = *c.Dimension, square // what Chroma has where nothing is said
	if space, ok := c.Metadata["hnsw:space"].(string); ok {
		s.space = space
	}
	for _, i := range []*index{c.Configuration.HNSW, c.Configuration.SPANN} {
		if i != nil {
			s.space = cmp.Or(i.Space, s.space)
		}
	}
	if !slices.Contains([]string{cosine, inner, square}, s.space) {
		return fmt.Errorf("the collection has the space %.40q; those known are %s, %s and %s", s.space, cosine, inner, square)
	}
	s.address = s.collections + "/" + url.PathEscape(c.ID)
	return nil
}

// seen is how many records tell what all of them are like.
const seen = 100

// look finds out from some records which parts they have, and how long their vectors are.
func (s *Store) look(ctx context.Context) error {
	ids, err := s.sample(ctx, seen)
	if err != nil {
		return err
	}
	documents, fields := false, map[string]kind{}
	err = s.pieces(ctx, ids, []string{"documents", "embeddings", "metadatas"}, func(a *answer) error {
		for i := range a.IDs {
			documents = documents || a.Documents[i] != nil
			s.lengths.Unit(a.Embeddings[i])
			kindsOf(fields, a.Metadatas[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	columns := columnsOf(fields)
	for _, key := range []string{s.at.title, s.at.text} {
		if key != "" && fields[key] == 0 {
			return unknownKey(key, len(ids), columns)
		}
	}
	s.roles = attached.Roles{ID: theID, Vector: theEmbedding, Text: s.at.text, Title: s.at.title}
	if documents && s.roles.Text == "" {
		s.roles.Text = theDocument
	}
	columns = append(columns, attached.Column{Name: theID, Kind: attached.Text, Key: true},
		attached.Column{Name: theEmbedding, Kind: attached.Vector}, attached.Column{Name: theDocument, Kind: attached.Text})
	s.columns = columns
	if s.roles, err = s.roles.Fill(s.calls.Place, columns); err == nil && s.roles.Text == theDocument {
		s.Words.Search = s.search
	}
	return err
}

// unknownKey is the error that lists the keys which records have.
func unknownKey(key string, records int, columns []attached.Column) error {
	var known []string
	for _, c := range columns {
		known = append(known, fmt.Sprintf("%s (%s)", c.Name, c.Type))
	}
	return engine.BadInput("the address of a Chroma store", "none of the %d records that were looked at has %q in its metadata; there are: %s", records, key, cmp.Or(strings.Join(known, ", "), "no keys"))
}

// Catalogue are the keys that were seen.
func (s *Store) Catalogue() (fields []string, parts map[string]string) {
	return s.roles.Fields(s.columns)
}
