package weaviate

import (
	"encoding/json"
	"errors"

	"github.com/nsfl-go/nsfl/engine"
)

// format is that of the collections which this version makes. An older one can be
// opened, a newer one cannot. Before wordedFormat, documents had no pieces, and before
// placedFormat no places.
const format, wordedFormat, placedFormat = 3, 2, 3

// The properties of a document.
const (
	keyProperty      = "_id"      // as Weaviate calls the key in filters
	idProperty       = "document" // id is Weaviate's own
	titleProperty    = "title"
	textProperty     = "text"
	metadataProperty = "metadata"
	passagesProperty = "passages"
	placesProperty   = "places"  // of the passages, as JSON, where any is known
	tokensProperty   = "tokens"  // see entries.go
	vectorsProperty  = "vectors" // how many
	piecesProperty   = "pieces"  // of its words, as pooling.SpellTokens has them
)

// The properties of a note.
const (
	nameProperty  = "name"
	valueProperty = "value"
)

// settings are what a collection says about itself, in the description of its
// class.
type settings struct {
	Format    int    `json:"nsfl"`
	Dimension int    `json:"dimension"`
	Encoder   string `json:"encoder"`
}

func (s settings) describe() string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers and a string
	}
	return string(b)
}

// errForeign is that a class is not of nsfl's making.
var errForeign = errors.New("it is something else's")

// settingsOf reads them. A class that has none is something else's.
func settingsOf(c *class) (settings, error) {
	var s settings
	if err := json.Unmarshal([]byte(c.Description), &s); err != nil || s.Format < 1 {
		return s, errForeign
	}
	if s.Format <= format && (s.Dimension < 1 || s.Dimension > engine.MaxDimension) {
		return s, errors.New("the description of the class " + c.Class + " has been changed: it has no dimension")
	}
	return s, nil
}

// class is one as it goes over HTTP.
type class struct {
	Class             string         `json:"class"`
	Description       string         `json:"description"`
	Properties        []property     `json:"properties"`
	ShardingConfig    map[string]any `json:"shardingConfig,omitempty"`
	ReplicationConfig map[string]any `json:"replicationConfig,omitempty"`
	VectorConfig      map[string]any `json:"vectorConfig,omitempty"`
	VectorIndexType   string         `json:"vectorIndexType,omitempty"`
	VectorIndexConfig map[string]any `json:"vectorIndexConfig,omitempty"`
	Vectorizer        string         `json:"vectorizer,omitempty"`
}

type property struct {
	Name            string   `json:"name"`
	DataType        []string `json:"dataType"`
	Tokenization    string   `json:"tokenization,omitempty"`
	IndexFilterable bool     `json:"indexFilterable"`
	IndexSearchable bool     `json:"indexSearchable"`

	NestedProperties []property `json:"nestedProperties,omitempty"` // of an object
}

// documentsClass is the class of a new collection's documents.
func documentsClass(a *address, description string) *class {
	c := newClass(a, a.collection, description, a.shards, idProperty, titleProperty, textProperty, metadataProperty, placesProperty)
	c.Properties = append(c.Properties,
		property{Name: passagesProperty, DataType: []string{"text[]"}, Tokenization: "field"},
		property{Name: tokensProperty, DataType: []string{"text[]"}, Tokenization: "field", IndexFilterable: true},
		property{Name: vectorsProperty, DataType: []string{"int"}, IndexFilterable: true},
		pieces(),
	)
	c.VectorConfig = map[string]any{wholeVector: vectorConfig(false), passageVectors: vectorConfig(true)}
	return c
}

// pieces is the property that documents are found by the words of.
func pieces() property {
	return property{Name: piecesProperty, DataType: []string{"text"}, Tokenization: "whitespace", IndexSearchable: true}
}

// notesClass is the class of a new collection's notes, which have no vectors.
func notesClass(a *address, description string) *class {
	c := newClass(a, a.notesClass(), description, 1, nameProperty, valueProperty)
	c.VectorIndexType, c.Vectorizer = "hnsw", "none"
	c.VectorIndexConfig = map[string]any{"skip": true}
	return c
}

// kept is the property of a text that is kept and nothing more.
func kept(name string) property {
	return property{Name: name, DataType: []string{"text"}, Tokenization: "field"}
}

// newClass is a class with texts that are kept and nothing more.
func newClass(a *address, name, description string, shards int, texts ...string) *class {
	c := &class{Class: name, Description: description}
	for _, t := range texts {
		c.Properties = append(c.Properties, kept(t))
	}
	if shards > 0 {
		c.ShardingConfig = map[string]any{"desiredCount": shards}
	}
	if a.replicas > 0 {
		// A replica that was away learns of what it has missed in the background,
		// and what was deleted meanwhile stays deleted.
		c.ReplicationConfig = map[string]any{"factor": a.replicas, "asyncEnabled": a.replicas > 1, "deletionStrategy": "TimeBasedResolution"}
	}
	return c
}

// vectorConfig is an HNSW index over vectors of length 1, so that the inner product
// is the cosine. It holds them as they are: what a server may do to save memory
// unless it is told otherwise would cost recall.
func vectorConfig(multi bool) map[string]any {
	config := map[string]any{"distance": "dot", "skipDefaultQuantization": true, "flatSearchCutoff": flatCutoff}
	if multi {
		config["multivector"] = map[string]any{"enabled": true}
	}
	return map[string]any{"vectorizer": map[string]any{"none": map[string]any{}}, "vectorIndexType": "hnsw", "vectorIndexConfig": config}
}
