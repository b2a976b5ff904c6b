package weaviate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

type class struct {
	Properties          []property
	MultiTenancyConfig  struct{ Enabled bool }
	InvertedIndexConfig struct {
		Stopwords struct {
			Preset    string
			Additions []string
		}
	}
	VectorConfig map[string]vectorIndex // by name
	// VectorIndexConfig belongs to the only vector of a class without named vectors.
	VectorIndexConfig indexConfig
}

type vectorIndex struct{ VectorIndexConfig indexConfig }

type indexConfig struct {
	Distance    string
	Skip        bool // there is no index
	MultiVector struct{ Enabled bool }
}

// cosine is the distance of an index that orders by cosines, whatever the lengths of vectors.
const cosine = "cosine"

// The names of the UUID of an object and of its unnamed vector.
const (
	objectID  = "id"
	oneVector = "vector"
)

func (c *class) columns() []remote.Column {
	out := []remote.Column{{Name: objectID, Type: "UUID of the object", Kind: remote.Text, Key: true}}
	vector := func(name string, index indexConfig) {
		kind := remote.Vector
		if index.Skip || index.MultiVector.Enabled {
			kind = remote.Other
		}
		out = append(out, remote.Column{Name: name, Type: "vector, " + cmp.Or(index.Distance, cosine), Kind: kind})
	}
	for _, name := range slices.Sorted(maps.Keys(c.VectorConfig)) {
		vector(name, c.VectorConfig[name].VectorIndexConfig)
	}
	if len(c.VectorConfig) == 0 {
		vector(oneVector, c.VectorIndexConfig)
	}
	for _, p := range c.Properties {
		out = append(out, remote.Column{Name: p.Name, Type: p.kind(), Kind: kindOf(p.kind())})
	}
	return out
}

func (p *property) kind() string { return strings.Join(p.DataType, " or ") }

func kindOf(kind string) remote.Kind {
	switch kind {
	case "text", "string":
		return remote.Text
	case "int", "number", "boolean", "date", "uuid", "text[]", "string[]", "int[]", "number[]", "boolean[]", "date[]", "uuid[]", "object[]", "geoCoordinates", "phoneNumber":
		return remote.Value
	case "object":
		return remote.Object
	}
	return remote.Other // a blob, a reference
}

func (c *class) index(vector string) indexConfig {
	if len(c.VectorConfig) == 0 {
		return c.VectorIndexConfig
	}
	return c.VectorConfig[vector].VectorIndexConfig
}

func (c *class) property(name string) *property {
	i := slices.IndexFunc(c.Properties, func(p property) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Properties[i]
}

// ask requests properties, and objects with all of their properties.
func (c *class) ask(wanted func(*property) bool) *wire.PropertiesRequest {
	out := &wire.PropertiesRequest{NonRefProperties: []string{}}
	for i := range c.Properties {
		p := &c.Properties[i]
		switch kind := kindOf(p.kind()); {
		case kind == remote.Other || !wanted(p):
		case len(p.NestedProperties) > 0:
			out.ObjectProperties = append(out.ObjectProperties, p.inner())
		default:
			out.NonRefProperties = append(out.NonRefProperties, p.Name)
		}
	}
	return out
}

func (p *property) inner() *wire.ObjectPropertiesRequest {
	out := &wire.ObjectPropertiesRequest{PropName: p.Name}
	for i := range p.NestedProperties {
		n := &p.NestedProperties[i]
		switch {
		case kindOf(n.kind()) == remote.Other:
		case len(n.NestedProperties) > 0:
			out.ObjectProperties = append(out.ObjectProperties, n.inner())
		default:
			out.PrimitiveProperties = append(out.PrimitiveProperties, n.Name)
		}
	}
	return out
}

type property struct {
	Name            string   `json:"name"`
	DataType        []string `json:"dataType"`
	Tokenization    string   `json:"tokenization,omitempty"`
	IndexFilterable bool     `json:"indexFilterable"`
	IndexSearchable bool     `json:"indexSearchable"`

	NestedProperties []property `json:"nestedProperties,omitempty"` // of an object
}
