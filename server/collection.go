package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/index"
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
	Profile   string `json:"profile" doc:"how searches refine vectors and rank, where they do not say otherwise"`
	ReadOnly  bool   `json:"read_only" doc:"documents cannot be changed here"`
	Problem   string `json:"problem,omitempty" doc:"why it cannot be opened"`
}

// CollectionList is all of them.
type CollectionList struct {
	Collections []Collection `json:"collections" nullable:"false"`
}

// NewCollection is a wish for a collection.
type NewCollection struct {
	Name    string `json:"name" doc:"lower-case letters, digits, - and _, at most 64"`
	Encoder string `json:"encoder,omitempty" doc:"one of those that /v1/encoders lists; the default is the first"`
}

// EncoderList are the encoders a collection can be made with.
type EncoderList struct {
	Encoders []EncoderWord `json:"encoders" nullable:"false"`
}

// EncoderWord is an encoder by the word it is chosen by.
type EncoderWord struct {
	Word    string `json:"word"`
	Default bool   `json:"default"`
}

func (s *Server) listEncoders(*exchange, *nothing) (*EncoderList, error) {
	list := &EncoderList{}
	for i, word := range s.collections.words {
		list.Encoders = append(list.Encoders, EncoderWord{word, i == 0})
	}
	return list, nil
}

func (o *opened) describe(ctx context.Context, engine string) (*Collection, error) {
	size, err := o.Store().Size(ctx)
	if err != nil {
		return nil, err
	}
	c := &Collection{
		Name: o.name, Documents: size.Documents, Vectors: size.Vectors, Dimension: size.Dimension, Engine: engine,
		Encoder: o.word, Identity: o.Encoder().Identity().String(), Profile: o.Searcher().Profile.Name, ReadOnly: o.readOnly,
	}
	if i := o.Index(); i != nil {
		stats, err := i.Stats(ctx)
		if err != nil {
			return nil, err
		}
		c.Deleted, c.Bytes = stats.Deleted, stats.Bytes
	}
	return c, nil
}

func (s *Server) listCollections(x *exchange, _ *nothing) (*CollectionList, error) {
	names, err := s.collections.Names()
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
			c = &Collection{Name: name, Engine: s.collections.engineOf(name), ReadOnly: true, Problem: p.Detail}
		}
		list.Collections = append(list.Collections, *c)
	}
	return list, nil
}

func (s *Server) getCollection(x *exchange, _ *nothing) (*Collection, error) {
	return s.describe(x.Context(), x.PathValue("name"))
}

func (s *Server) describe(ctx context.Context, name string) (*Collection, error) {
	o, release, err := s.collections.use(ctx, name, false)
	if err != nil {
		return nil, err
	}
	defer release()
	return o.describe(ctx, s.collections.engineOf(name))
}

func (s *Server) makeCollection(x *exchange, in *NewCollection) (*Collection, error) {
	word := or(in.Encoder, s.collections.words[0])
	if !slices.Contains(s.collections.words, word) {
		return nil, invalid("a collection cannot be made with the encoder %q here; GET /v1/encoders lists those that can be chosen", word)
	}
	if err := s.collections.make(x.Context(), in.Name, word); err != nil {
		return nil, err
	}
	return s.describe(x.Context(), in.Name)
}

func (s *Server) deleteCollection(x *exchange, _ *nothing) (*nothing, error) {
	return nil, s.collections.remove(x.Context(), x.PathValue("name"))
}

// make makes a collection beside its place and moves it there, so that an
// interruption leaves nothing that looks like one.
func (c *Collections) make(ctx context.Context, name, word string) error {
	if !nameForm.MatchString(name) {
		return invalid("%q cannot be a collection's name: it has lower-case letters, digits, - and _, at most 64, and begins with a letter or a digit", name)
	}
	s := c.outside[name]
	if c.root == "" && s == nil {
		return newProblem("read_only", "this server has no directory for collections; name one when it is started")
	}
	c.making.Lock()
	defer c.making.Unlock()
	if _, err := os.Lstat(c.dir(name)); c.root != "" && err == nil || name == demoName && c.demo != nil {
		return newProblem("exists", "there is a collection %q already", name)
	}
	e, err := c.encoders.get(ctx, word)
	if err != nil {
		return newProblem("unavailable", "the encoder %q cannot be opened; the server's log says why", word).because(err)
	}
	if s != nil {
		return s.make(ctx, e, word)
	}
	dir, err := os.MkdirTemp(c.root, ".making-")
	if err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	defer os.RemoveAll(dir) // it has moved by then, unless something failed
	made, err := nsfl.OpenWith(ctx, dir, nsfl.Config{Encoder: e})
	if err != nil {
		return err
	}
	err = made.Store().SetNotes(ctx, map[string]string{encoderNote: named.Word(word)})
	if err := errors.Join(err, made.Close()); err != nil {
		return err
	}
	if err := os.Rename(dir, c.dir(name)); err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	return nil
}

// remove deletes a collection, after those who use it have let go.
func (c *Collections) remove(ctx context.Context, name string) error {
	if c.outside[name] != nil {
		return newProblem("read_only", "collection %q is in a store elsewhere; delete it there, or its documents here", name)
	}
	c.making.Lock()
	defer c.making.Unlock()
	o, release, err := c.use(ctx, name, true)
	var problem *Problem
	var damage *index.DamageError
	switch {
	case err == nil:
	case errors.As(err, &problem), !errors.As(err, &damage):
		return err
	default: // what is damaged can be deleted all the same
		return c.erase(name)
	}
	// Until the directory has moved, there is no such collection for others.
	gone := &opened{name: name, ready: make(chan struct{}), closed: make(chan struct{}), err: noCollection(name)}
	close(gone.ready)
	c.mu.Lock()
	o.retired = true
	c.open[name] = gone
	c.mu.Unlock()
	defer c.retire(gone)
	release()
	select {
	case <-o.closed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.erase(name)
}

func (c *Collections) erase(name string) error {
	trash, err := os.MkdirTemp(c.root, ".deleted-")
	if err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	if err := os.Rename(c.dir(name), trash+"/"+name); err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	if err := os.RemoveAll(trash); err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	return nil
}
