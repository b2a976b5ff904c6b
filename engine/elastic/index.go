package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// description is the description of an index.
type description struct {
	Mappings struct {
		Meta struct {
			Settings *settings `json:"nsfl"`
		} `json:"_meta"`
		property
	} `json:"mappings"`
	Settings struct {
		Index struct {
			Shards string `json:"number_of_shards"`
		} `json:"index"`
	} `json:"settings"`
}

// property is a field in a mapping.
type property struct {
	Type       string              `json:"type"` // empty: it is an object
	Properties map[string]property `json:"properties"`
	Fields     map[string]property `json:"fields"` // the same, indexed in other ways
	Dynamic    any                 `json:"dynamic"`
	Enabled    *bool               `json:"enabled"`

	Index       *bool           `json:"index"`
	Normalizer  string          `json:"normalizer"`
	IgnoreAbove *int            `json:"ignore_above"`
	NullValue   json.RawMessage `json:"null_value"`
	CopyTo      json.RawMessage `json:"copy_to"`

	Dimension    int             `json:"dims"`
	Similarity   string          `json:"similarity"`
	ElementType  string          `json:"element_type"`
	IndexOptions json.RawMessage `json:"index_options"` // of vectors an object
}

// complete reports whether an object has only known fields.
func (p *property) complete() bool {
	switch {
	case p.Type != "" && p.Type != "object", p.Enabled != nil && !*p.Enabled:
		return false
	}
	kind := fmt.Sprint(p.Dynamic)
	return kind != "false" && kind != "runtime"
}

// kind returns the kind of the index of a vector field.
func (p *property) kind() string {
	var o struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(p.IndexOptions, &o) // it has no kind otherwise
	return o.Type
}

// indexed reports whether documents can be found by the field.
func (p *property) indexed() bool { return p.Index == nil || *p.Index }

// settings describe a managed collection. They are stored in the _meta field of the mapping.
type settings struct {
	Format    int    `json:"format"`
	Dimension int    `json:"dimension"`
	Encoder   string `json:"encoder"`
}

// describe returns the description of the index, or nil if there is none.
func (c *client) describe(ctx context.Context) (*description, error) {
	var found map[string]description
	err := c.ask(ctx, http.MethodGet, "", nil, &found)
	if remote.Refused(err, http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		return nil, engine.BadInput("collection", "it is an alias of %d indexes: name one of them", len(found))
	}
	for _, d := range found {
		return &d, nil
	}
	return nil, nil
}

// shards are how many parts the index has.
func (d *description) shards() (int, error) {
	n, err := strconv.Atoi(d.Settings.Index.Shards)
	if err != nil || n < 1 {
		return 0, remote.BadAnswer("the index has %.40q shards", d.Settings.Index.Shards)
	}
	return n, nil
}
