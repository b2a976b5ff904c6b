package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// format is the version of how collections are laid out, as documented in doc.go,
// record.go and keys.go.
const format = 3

// Older formats: records were named otherwise before namedFormat, and a document's words
// were not kept before wordedFormat.
const namedFormat, wordedFormat = 2, 3

// Chroma's collections, by what they add to the name of ours.
const (
	documentsSuffix = ""
	passagesSuffix  = "-passages"
	notesSuffix     = "-notes"
)

// marks are what a collection of Chroma's says about itself.
type marks struct {
	Part      string `json:"nsfl"` // which part it is, so that it is told from those of others
	Format    int    `json:"nsfl-format"`
	Dimension int    `json:"nsfl-dimension"`
	Encoder   string `json:"nsfl-encoder"`
}

// own begins the mark of a collection's part; its suffix follows.
const own = "collection"

// hnsw are the settings of the index. They favour finding over speed: a search keeps
// a thousand candidates in sight.
var hnsw = map[string]any{"space": "cosine", "ef_construction": 200, "ef_search": 1000, "max_neighbors": 32}

// establish finds the collection, or makes it, or says why it cannot.
func (s *Store) establish(ctx context.Context) error {
	if err := s.checklist(ctx); err != nil {
		return err
	}
	o := &s.calls.Options
	found, err := s.collection(ctx, documentsSuffix, &s.documents)
	if errors.Is(err, engine.ErrNotCollection) && !o.ReadOnly && o.Dimension > 0 {
		if err := s.create(ctx); err != nil {
			return err
		}
		found, err = s.collection(ctx, documentsSuffix, &s.documents)
	}
	if err == nil {
		err = pooling.Identity{Format: found.Format, Dimension: found.Dimension, Encoder: found.Encoder}.Agrees(s.calls.Place, format, o)
	}
	switch {
	case err != nil:
		return err
	case found.Format < namedFormat:
		return fmt.Errorf("the collection has format %d, whose records were named otherwise: this version needs one of format %d, which a new copy has", found.Format, format)
	case found.Dimension < 1 || found.Dimension > engine.MaxDimension:
		return fmt.Errorf("the collection says that its vectors have %d dimensions", found.Dimension)
	}
	s.dim, s.encoder, s.wordless = found.Dimension, found.Encoder, found.Format < wordedFormat
	for suffix, address := range map[string]*string{passagesSuffix: &s.passages, notesSuffix: &s.notes} {
		part, err := s.collection(ctx, suffix, address)
		if errors.Is(err, engine.ErrNotCollection) {
			err = fmt.Errorf("the server has %s but not %s: a part of the collection was removed", s.name, s.name+suffix)
		}
		if err == nil && part.Dimension != s.dim {
			err = fmt.Errorf("%s is left over from another collection, of %d dimensions: remove it", s.name+suffix, part.Dimension)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checklist asks how much the server takes at once.
func (s *Store) checklist(ctx context.Context) error {
	answer, err := s.ask(ctx, http.MethodGet, s.api+"/pre-flight-checks", nil)
	if err != nil {
		return err
	}
	var list struct {
		Max int `json:"max_batch_size"`
	}
	if err := json.Unmarshal(answer, &list); err != nil || list.Max < 1 {
		return &formError{"it does not say how many records it takes at once; 1.0 and later do"}
	}
	s.maxBatch = list.Max
	return nil
}

// collection finds one of Chroma's, and its address.
func (s *Store) collection(ctx context.Context, suffix string, address *string) (*marks, error) {
	name := s.name + suffix
	answer, err := s.ask(ctx, http.MethodGet, s.collections+"/"+url.PathEscape(name), nil)
	if e := (*webclient.StatusError)(nil); errors.As(err, &e) && e.Code == http.StatusNotFound {
		return nil, fmt.Errorf("%w (%s)", engine.ErrNotCollection, e.Message)
	}
	if err != nil {
		return nil, err
	}
	var c struct {
		ID       string          `json:"id"`
		Metadata json.RawMessage `json:"metadata"`
	}
	m := &marks{}
	if err := json.Unmarshal(answer, &c); err != nil || c.ID == "" {
		return nil, &formError{"a collection has no id"}
	}
	if json.Unmarshal(c.Metadata, m) != nil || m.Part != own+suffix {
		return nil, fmt.Errorf("the collection %s on the server is not one of nsfl's; name another", name)
	}
	*address = s.collections + "/" + url.PathEscape(c.ID)
	return m, nil
}

// create makes the collections, the documents' last: where it is there, so are the
// others. Whoever comes second finds them made.
func (s *Store) create(ctx context.Context) error {
	for _, suffix := range []string{passagesSuffix, notesSuffix, documentsSuffix} {
		_, err := s.ask(ctx, http.MethodPost, s.collections, map[string]any{
			"name":          s.name + suffix,
			"metadata":      marks{own + suffix, format, s.calls.Options.Dimension, s.calls.Options.Encoder},
			"configuration": map[string]any{"hnsw": hnsw},
		})
		if e := (*webclient.StatusError)(nil); errors.As(err, &e) && e.Code == http.StatusConflict {
			continue
		}
		if err != nil {
			return fmt.Errorf("making %s: %w", s.name+suffix, err)
		}
	}
	return nil
}

// counted is how many records a collection of Chroma's has.
func (s *Store) counted(ctx context.Context, address string) (n int, err error) {
	answer, err := s.ask(ctx, http.MethodGet, address+"/count", nil)
	if err != nil {
		return 0, err
	}
	if err := json.Unmarshal(answer, &n); err != nil || n < 0 {
		return 0, &formError{"a count is no number"}
	}
	return n, nil
}
