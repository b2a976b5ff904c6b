package server

import (
	"cmp"
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Collection describes a collection.
type Collection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Vectors   int    `json:"vectors" doc:"of documents and passages, including deleted documents"`
	Deleted   int    `json:"deleted" doc:"deleted documents that still occupy space"`
	Dimension int    `json:"dimension"`
	Bytes     int64  `json:"bytes" doc:"size of the vectors and their codes; 0 if another engine stores them"`
	Engine    string `json:"engine" doc:"that stores it: embedded, or the engine of a remote store"`
	Encoder   string `json:"encoder" doc:"spec of the encoder"`
	Identity  string `json:"identity" doc:"full name of the encoder"`
	// PassageTokens is for clients that split texts themselves.
	PassageTokens int    `json:"passage_tokens" doc:"maximum number of tokens in a passage when the server splits a text"`
	Profile       string `json:"profile" doc:"default search profile"`
	ReadOnly      bool   `json:"read_only" doc:"documents cannot be changed here"`
	// Agreement and Doubt are set for stores filled by another program.
	Agreement *workspace.Agreement `json:"agreement,omitempty" doc:"similarity of the vectors to new encodings of the same documents, if another program made them"`
	Doubt     string               `json:"doubt,omitempty" doc:"why the encoder may not be the one that made the vectors"`
	Space     int64                `json:"space" doc:"size of all its files on disk, which counts for the quota; 0 if another engine stores it"`
	Quota     *CollectionQuota     `json:"quota,omitempty" doc:"limits; omitted if unlimited"`
	Problem   string               `json:"problem,omitempty" doc:"why it cannot be opened"`
	// Health is left out if nothing is known.
	Health *CollectionHealth `json:"health,omitempty" doc:"results of the server's maintenance"`
}

// CollectionList lists collections.
type CollectionList struct {
	Collections []Collection `json:"collections" nullable:"false"`
}

// NewCollection is the request to create a collection.
type NewCollection struct {
	Name    string           `json:"name" example:"notes" doc:"lower-case letters, digits, - and _, at most 64"`
	Encoder string           `json:"encoder,omitempty" example:"builtin" doc:"one of /v1/encoders; the first is the default"`
	Quota   *workspace.Quota `json:"quota,omitempty" doc:"limits; the server's defaults if omitted"`
}

// EncoderList lists the encoders that a new collection can use.
type EncoderList struct {
	Encoders []EncoderWord `json:"encoders" nullable:"false"`
}

// EncoderWord is an encoder spec.
type EncoderWord struct {
	Word    string `json:"word"`
	Default bool   `json:"default"`
}

func (s *Server) listEncoders(*exchange, *nothing) (*EncoderList, error) {
	list := &EncoderList{}
	for i, word := range s.collections.Encoders() {
		list.Encoders = append(list.Encoders, EncoderWord{word, i == 0})
	}
	return list, nil
}

func (s *Server) newCollection(ctx context.Context, o *workspace.Handle) (*Collection, error) {
	size, err := o.Store().Size(ctx)
	if err != nil {
		return nil, err
	}
	c := &Collection{
		Name: o.Name, Documents: size.Documents, Vectors: size.Vectors, Dimension: size.Dimension, Engine: o.Engine,
		Encoder: o.Word, Identity: o.Encoder().Identity().String(), Profile: o.Searcher().Profile.Name, ReadOnly: o.ReadOnly,
		Health: s.keeper.health(o.Name), Agreement: o.Agreement,
	}
	if o.Agreement != nil {
		c.Doubt = o.Agreement.Doubt()
	}
	lengths, err := o.Lengths(0)
	if err != nil {
		return nil, err
	}
	c.PassageTokens = lengths.Max
	if i, ok := o.Store().(*index.Collection); ok {
		stats, err := i.Stats(ctx)
		if err != nil {
			return nil, err
		}
		c.Deleted, c.Bytes, c.Space = stats.Deleted, stats.Bytes, stats.Space
		if q := i.Quota(); q != (index.Quota{}) {
			c.Quota = &CollectionQuota{q.Documents, q.Bytes}
		}
	}
	return c, nil
}

func (s *Server) listCollections(x *exchange, _ *nothing) (*CollectionList, error) {
	names, err := s.names(x.Context())
	if err != nil {
		return nil, err
	}
	list := &CollectionList{Collections: []Collection{}}
	for _, name := range names {
		c, err := s.describe(x.Context(), name)
		if x.Context().Err() != nil {
			return nil, x.Context().Err()
		}
		if err != nil {
			p := problemOf(err)
			if p.Code == "not_found" { // deleted meanwhile
				continue
			}
			x.record.err = err
			c = &Collection{Name: name, Engine: s.collections.Engine(name), ReadOnly: true, Problem: p.Detail}
		}
		list.Collections = append(list.Collections, *c)
	}
	return list, nil
}

func (s *Server) getCollection(x *exchange, _ *nothing) (*Collection, error) {
	return s.newCollection(x.Context(), x.collection)
}

func (s *Server) describe(ctx context.Context, name string) (*Collection, error) {
	o, release, err := s.collections.Use(ctx, name, false)
	if err != nil {
		return nil, err
	}
	defer release()
	c, err := s.newCollection(ctx, o)
	return c, explain(ctx, o, err)
}

func (s *Server) makeCollection(x *exchange, in *NewCollection) (*Collection, error) {
	word := cmp.Or(in.Encoder, s.collections.Encoders()[0])
	if !slices.Contains(s.collections.Encoders(), word) {
		return nil, invalid("the encoder %q is not available here; GET /v1/encoders lists the available ones", word)
	}
	if err := (&Collections{s}).Make(x.Context(), in.Name, word); err != nil {
		return nil, err
	}
	if in.Quota != nil {
		if err := s.bound(x.Context(), in.Name, *in.Quota); err != nil {
			return nil, err
		}
	}
	return s.describe(x.Context(), in.Name)
}

// CollectionQuota limits the size of a collection; 0 means unlimited.
type CollectionQuota struct {
	Documents int   `json:"documents"`
	Bytes     int64 `json:"bytes"`
}

func (s *Server) bound(ctx context.Context, name string, q workspace.Quota) error {
	o, release, err := s.collections.Use(ctx, name, true)
	if err != nil {
		return err
	}
	defer release()
	return s.collections.SetQuota(ctx, o, q)
}

func (s *Server) setQuota(x *exchange, in *workspace.Quota) (*Collection, error) {
	if err := s.bound(x.Context(), x.PathValue("name"), *in); err != nil {
		return nil, err
	}
	return s.describe(x.Context(), x.PathValue("name"))
}

func (s *Server) deleteCollection(x *exchange, _ *nothing) (*nothing, error) {
	name := x.PathValue("name")
	change := workspace.Change{Action: workspace.RemoveCollection, Collection: name}
	return nil, workspace.Changing(s.changing).Do(x.Context(), change, func() error { return s.collections.Remove(x.Context(), name) })
}

func (s *Server) listFields(x *exchange, _ *nothing) (*engine.Fields, error) {
	return x.collection.Fields(x.Context())
}

// ExampleList lists example queries.
type ExampleList struct {
	Examples []suggest.Example `json:"examples" nullable:"false"`
}

func (s *Server) listExamples(x *exchange, _ *nothing) (*ExampleList, error) {
	c := x.collection
	if c.Name == workspace.Demo && s.config.Demo != nil {
		return &ExampleList{Examples: suggest.Demo()}, nil
	}
	if err := x.share.Draw(readCost); err != nil {
		return nil, err
	}
	examples, err := suggest.Of(x.Context(), c.Store())
	return &ExampleList{Examples: append([]suggest.Example{}, examples...)}, err
}
