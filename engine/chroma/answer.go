package chroma

import (
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// answer is the answer to a get request.
type answer struct {
	IDs        []string                     `json:"ids"`
	Embeddings [][]float32                  `json:"embeddings"`
	Documents  []*string                    `json:"documents"`
	Metadatas  []map[string]json.RawMessage `json:"metadatas"`
}

// decode reads records. Parts that were not requested are empty.
func decode(raw []byte, include []string, dim int) (*answer, error) {
	a := &answer{}
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, &formError{err.Error()}
	}
	asked := map[string]bool{}
	for _, part := range include {
		asked[part] = true
	}
	n := len(a.IDs)
	check(&a.Embeddings, asked["embeddings"], n)
	check(&a.Documents, asked["documents"], n)
	check(&a.Metadatas, asked["metadatas"], n)
	if len(a.Embeddings) != n || len(a.Documents) != n || len(a.Metadatas) != n {
		return nil, &formError{fmt.Sprintf("%d records, %d embeddings, %d documents, %d metadatas", n, len(a.Embeddings), len(a.Documents), len(a.Metadatas))}
	}
	for i, v := range a.Embeddings {
		if asked["embeddings"] && len(v) != dim {
			return nil, &formError{fmt.Sprintf("the embedding of record %.40q has %d dimensions, the collection has %d", a.IDs[i], len(v), dim)}
		}
	}
	return a, nil
}

// check empties a part that was not requested.
func check[T any](part *[]T, asked bool, n int) {
	if !asked {
		*part = make([]T, n)
	}
}

// include returns the names of the parts to request.
func (d *driver) include(parts engine.Parts) []string {
	out := []string{}
	if parts.Has(engine.Texts) && d.roles.Text == theDocument {
		out = append(out, "documents")
	}
	if parts.Has(engine.Metadata) || parts.Has(engine.Titles) && d.roles.Title != "" || parts.Has(engine.Texts) && d.roles.Text != "" && d.roles.Text != theDocument {
		out = append(out, "metadatas")
	}
	if parts.Has(engine.Vectors) {
		out = append(out, "embeddings")
	}
	return out
}

// document returns the wanted parts of the i-th record.
func (d *driver) document(a *answer, i int, parts engine.Parts) (doc engine.Document, err error) {
	if doc.ID = a.IDs[i]; doc.ID == "" {
		return doc, &formError{"a record has no id"}
	}
	if parts.Has(engine.Texts) {
		if d.roles.Text != theDocument {
			doc.Text = textOf(a.Metadatas[i][d.roles.Text])
		} else if text := a.Documents[i]; text != nil {
			doc.Text = *text
		}
	}
	if parts.Has(engine.Titles) {
		doc.Title = textOf(a.Metadatas[i][d.roles.Title])
	}
	if parts.Has(engine.Vectors) {
		doc.Vector = a.Embeddings[i]
	}
	if parts.Has(engine.Metadata) {
		doc.Metadata, err = d.metadata(a.Metadatas[i])
	}
	return doc, err
}

// metadata returns the keys without another role, in alphabetical order.
func (d *driver) metadata(all map[string]json.RawMessage) (json.RawMessage, error) {
	rest := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		if key != d.roles.Title && key != d.roles.Text {
			rest[key] = value
		}
	}
	if len(rest) == 0 {
		return nil, nil
	}
	return marshal(rest)
}

// textOf returns a value as a text.
func textOf(value json.RawMessage) (text string) {
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// decodeHits reads the answer to a search by one vector.
func decodeHits(raw []byte) ([]remote.Hit, error) {
	var a struct {
		IDs [][]string `json:"ids"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, &formError{err.Error()}
	}
	if len(a.IDs) != 1 {
		return nil, &formError{fmt.Sprintf("%d lists, for one vector", len(a.IDs))}
	}
	hits := make([]remote.Hit, len(a.IDs[0]))
	for i, id := range a.IDs[0] {
		if id == "" {
			return nil, &formError{"a record has no id"}
		}
		hits[i].Ref.Key = id
	}
	return hits, nil
}
