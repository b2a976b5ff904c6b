package weaviate

import "encoding/json"

// keyProperty is the name of an object's UUID in filters.
const keyProperty = "_id"

// managed reports whether an earlier version of nsfl has created a class: it described the
// collection in the description of the class.
func managed(description string) bool {
	var settings struct {
		Format int `json:"nsfl"`
	}
	return json.Unmarshal([]byte(description), &settings) == nil && settings.Format > 0
}

type property struct {
	Name            string   `json:"name"`
	DataType        []string `json:"dataType"`
	Tokenization    string   `json:"tokenization,omitempty"`
	IndexFilterable bool     `json:"indexFilterable"`
	IndexSearchable bool     `json:"indexSearchable"`

	NestedProperties []property `json:"nestedProperties,omitempty"` // of an object
}
