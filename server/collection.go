package server

import (
	"cmp"
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Collection describes a collection.
type Collection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Vectors   int    `json:"vectors" doc:"of documents and passages, with those of deleted documents"`
	Deleted   int    `json:"deleted" doc:"documents that still take space"`
	Dimension int    `json:"dimension"`
	Bytes     int64  `json:"bytes" doc:"of the vectors and their codes; 0 where another engine keeps them"`
	Engine    string `json:"engine" doc:"what keeps it: embedded, or the engine of a store elsewhere"`
	Encoder   string `json:"encoder" doc:"the word it was chosen by"`
	Identity  string `json:"identity" doc:"the encoder, with what tells it from its like"`
	// PassageTokens is for clients that split texts themselves.
	PassageTokens int    `json:"passage_tokens" doc:"the most tokens of a passage, where a text is cut here"`
	Profile       string `json:"profile" doc:"how searches refine vectors and rank, where they do not say otherwise"`
	ReadOnly      bool   `json:"read_only" doc:"documents cannot be changed here"`
	// Agreement and Doubt are set for stores filled by another program.
	Agreement *workspace.Agreement `json:"agreement,omitempty" doc:"how near its vectors are to those that the encoder makes of the same documents, where something else has made them"`
	Doubt     string               `json:"doubt,omitempty" doc:"why the encoder may not be the one that made the vectors"`
	Space     int64                `json:"space" doc:"bytes of all its files on the disk, which its quota counts; 0 where another engine keeps them"`
	Quota     *CollectionQuota     `json:"quota,omitempty" doc:"what it may hold; left out where it may hold anything"`
	Problem   string               `json:"problem,omitempty" doc:"why it cannot be opened"`
	// Health is left out if nothing is known.
	Health *CollectionHealth `json:"health,omitempty" doc:"what the server's upkeep knows of it"`
}

// CollectionList lists collections.
type CollectionList struct {
	Collections []Collection `json:"collections" nullable:"false"`
}

// NewCollection is the request to create a collection.
type NewCollection struct {
	Name    string           `json:"name" example:"notes" doc:"lower-case letters, digits, - and _, at most 64"`
	Encoder string           `json:"encoder,omitempty" example:"builtin" doc:"one of those that /v1/encoders lists; the default is the first"`
	Quota   *workspace.Quota `json:"quota,omitempty" doc:"what it may hold; what the server lets all hold where it is left out"`
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
		if q := i.Quota(); q != (engine.Quota{}) {
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
	o, release, err := s.collections.Look(ctx, name)
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
		return nil, invalid("a collection cannot be made with the encoder %q here; GET /v1/encoders lists those that can be chosen", word)
	}
	if err := s.make(x.Context(), in.Name, word); err != nil {
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
	return nil, s.remove(x.Context(), x.PathValue("name"))
}
