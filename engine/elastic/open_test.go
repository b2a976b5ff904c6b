package elastic

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// put makes an index with a mapping.
func put(t *testing.T, address string, mappings clause) {
	t.Helper()
	c := clientOf(t, address)
	defer c.Close()
	if err := c.ask(context.Background(), http.MethodPut, "", clause{"mappings": mappings}, new(struct{})); err != nil {
		t.Fatal(err)
	}
}

// TestOpen checks that the existing index determines how it is opened, and that errors suggest
// a fix.
func TestOpen(t *testing.T) {
	at := sharedURL(t)
	vector := clause{"type": "dense_vector", "dims": 3}
	var input *engine.InputError
	var newer *engine.FormatError
	var mismatch *engine.MismatchError
	for name, c := range map[string]struct {
		mappings clause
		more     string
		options  engine.Options
		want     func(error) bool
		say      string
	}{
		"nothing":           {nil, "", engine.Options{}, func(err error) bool { return errors.Is(err, engine.ErrNotCollection) }, ""},
		"nothing with text": {nil, "&text=a", engine.Options{Dimension: 3}, func(err error) bool { return errors.Is(err, engine.ErrNotCollection) }, ""},
		"no vector":         {clause{"properties": clause{"a": clause{"type": "text"}}}, "", engine.Options{}, func(err error) bool { return errors.As(err, &input) }, "no column holds a vector"},
		"two vectors": {clause{"properties": clause{"v": vector, "w": vector, "body": clause{"type": "text"}}}, "", engine.Options{},
			func(err error) bool { return errors.As(err, &input) }, "&id=_id&vector=v&text=body"},
		"two vectors, one named": {clause{"properties": clause{"v": vector, "o": clause{"properties": clause{"w": vector}}}}, "&vector=o.w", engine.Options{}, nil, ""},
		"bytes":                  {clause{"properties": clause{"v": clause{"type": "dense_vector", "dims": 3, "element_type": "byte"}}}, "", engine.Options{}, func(err error) bool { return errors.As(err, &input) }, "of byte"},
		"no dimension yet":       {clause{"properties": clause{"v": clause{"type": "dense_vector"}}}, "", engine.Options{}, func(error) bool { return true }, "holds no vectors yet"},
		"another id":             {clause{"properties": clause{"v": vector, "k": clause{"type": "keyword"}}}, "&id=k", engine.Options{}, func(err error) bool { return errors.As(err, &input) }, "leave id out"},
		"another dimension":      {clause{"properties": clause{"v": vector}}, "", engine.Options{Dimension: 4}, func(err error) bool { return errors.As(err, &mismatch) }, ""},
		"any encoder":            {clause{"properties": clause{"v": vector}}, "", engine.Options{Encoder: "e"}, nil, ""},
		"newer":                  {clause{"_meta": clause{"nsfl": remote.Identity{Format: format + 1, Dimension: 3}}}, "", engine.Options{}, func(err error) bool { return errors.As(err, &newer) }, ""},
		"damaged":                {clause{"_meta": clause{"nsfl": remote.Identity{Format: format}}}, "", engine.Options{}, func(error) bool { return true }, "has been changed"},
		"ours, with fields":      {clause{"_meta": clause{"nsfl": remote.Identity{Format: format, Dimension: 3}}}, "&text=a", engine.Options{}, func(err error) bool { return errors.As(err, &input) }, "leave out text=a"},
	} {
		address := collection(t, at)
		if c.mappings != nil {
			put(t, address, c.mappings)
		}
		s, err := Open(context.Background(), address+c.more, c.options)
		if err == nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if (err != nil) != (c.want != nil) || err != nil && !(c.want(err) && strings.Contains(err.Error(), c.say)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An alias of one index is as good as its name; one of several is none.
func TestAlias(t *testing.T) {
	at := sharedURL(t)
	first, second := collection(t, at), collection(t, at)
	docs := enginetest.Documents(10)
	for i := range docs {
		docs[i].Passages = nil
	}
	fill(t, first, vectors(dim, "cosine"), docs)
	fill(t, second, vectors(dim, "cosine"), docs[:1])
	alias := func(address string) {
		c := clientOf(t, address)
		defer c.Close()
		if err := c.ask(context.Background(), http.MethodPut, "/_alias/nsfl-test-alias", clause{"filter": clause{"range": clause{"n": clause{"gte": 4}}}}, new(struct{})); err != nil {
			t.Fatal(err)
		}
	}
	alias(first)
	s := opened(t, enginetest.At(at, "nsfl-test-alias"), engine.Options{})
	if size, err := s.Size(context.Background()); err != nil || size.Documents != 6 {
		t.Errorf("%+v, %v: an alias with a filter has what passes it", size, err)
	}
	if _, err := s.Get(context.Background(), "id-3", engine.NoParts); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("what does not pass the alias: %v", err)
	}
	alias(second)
	var input *engine.InputError
	if _, err := Open(context.Background(), enginetest.At(at, "nsfl-test-alias"), engine.Options{}); !errors.As(err, &input) || !strings.Contains(err.Error(), "an alias of 2 indexes") {
		t.Errorf("got error %v, want one about an alias of 2 indexes", err)
	}
}
