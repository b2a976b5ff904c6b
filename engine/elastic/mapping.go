package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

type mapping struct {
	fields  map[string]*property
	columns []remote.Column
	vectors []string        // of all fields of vectors
	whole   bool            // documents have no other fields
	copied  map[string]bool // the targets of copy_to
}

func newMapping(root *property) *mapping {
	m := &mapping{fields: map[string]*property{}, copied: map[string]bool{}, whole: root.complete()}
	m.columns = []remote.Column{{Name: identity, Type: "of every document", Kind: remote.Text, Key: true}}
	m.add("", root.Properties)
	return m
}

func (m *mapping) add(above string, properties map[string]property) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name]
		whole := above + name
		m.fields[whole] = &p
		c := remote.Column{Name: whole, Type: p.Type, Kind: kinds[p.Type]}
		switch p.Type {
		case "dense_vector":
			m.vectors = append(m.vectors, whole)
			c.Type = fmt.Sprintf("dense_vector of %d dimensions, %s", p.Dimension, p.Similarity)
			if !p.indexed() {
				c.Type = fmt.Sprintf("dense_vector of %d dimensions, not indexed", p.Dimension)
			}
			if p.ElementType != "" && p.ElementType != "float" {
				c.Kind, c.Type = remote.Other, c.Type+" of "+p.ElementType
			}
		case "":
			c.Type = "object"
		}
		if above == "" || c.Kind != remote.Object { // an inner object belongs to the outer one
			m.columns = append(m.columns, c)
		}
		for _, target := range strings.FieldsFunc(string(p.CopyTo), func(r rune) bool { return strings.ContainsRune(`[]", `, r) }) {
			m.copied[target] = true
		}
		if p.Type == "" || p.Type == "object" {
			m.add(whole+".", p.Properties)
		}
	}
}

// nowhere reports whether no document has a field of that name.
func (m *mapping) nowhere(name string) bool {
	for i, c := range name + "." {
		if c != '.' {
			continue
		}
		p, known := m.fields[name[:i]]
		if known && (i == len(name) || !p.complete()) {
			return false
		}
	}
	return m.whole
}

// kinds classifies the types of fields. Other types cannot be read.
var kinds = map[string]remote.Kind{
	"": remote.Object, "object": remote.Object, "flattened": remote.Object,
	"text": remote.Text, "match_only_text": remote.Text, "search_as_you_type": remote.Text,
	"keyword": remote.Text, "constant_keyword": remote.Text, "wildcard": remote.Text,
	"long": remote.Value, "integer": remote.Value, "short": remote.Value, "byte": remote.Value, "unsigned_long": remote.Value,
	"double": remote.Value, "float": remote.Value, "half_float": remote.Value, "scaled_float": remote.Value,
	"boolean": remote.Value, "date": remote.Value, "date_nanos": remote.Value, "ip": remote.Value, "version": remote.Value,
	"dense_vector": remote.Vector,
}

type description struct {
	Mappings struct {
		Meta struct {
			Settings *remote.Identity `json:"nsfl"`
		} `json:"_meta"`
		property
	} `json:"mappings"`
	Settings struct {
		Index struct {
			Shards string `json:"number_of_shards"`
		} `json:"index"`
	} `json:"settings"`
}

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

func (p *property) complete() bool {
	switch {
	case p.Type != "" && p.Type != "object", p.Enabled != nil && !*p.Enabled:
		return false
	}
	kind := fmt.Sprint(p.Dynamic)
	return kind != "false" && kind != "runtime"
}

func (p *property) kind() string {
	var o struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(p.IndexOptions, &o) // it has no kind otherwise
	return o.Type
}

func (p *property) indexed() bool { return p.Index == nil || *p.Index }

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

func (d *description) shards() (int, error) {
	n, err := strconv.Atoi(d.Settings.Index.Shards)
	if err != nil || n < 1 {
		return 0, remote.BadAnswer("the index has %.40q shards", d.Settings.Index.Shards)
	}
	return n, nil
}
