package chroma

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
)

// answer is what Chroma answers to a get, as much of it as was asked for.
type answer struct {
	IDs        []string                     `json:"ids"`
	Embeddings [][]float32                  `json:"embeddings"`
	Documents  []*string                    `json:"documents"`
	Metadatas  []map[string]json.RawMessage `json:"metadatas"`
}

// decode reads records. What was not asked for is there, and empty.
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

// check empties a part that nobody has asked for.
func check[T any](part *[]T, asked bool, n int) {
	if !asked {
		*part = make([]T, n)
	}
}

// include is what is to be asked for to have the parts of documents.
func (s *Store) include(parts engine.Parts) []string {
	out := []string{}
	if parts.Has(engine.Texts) && s.roles.Text == theDocument {
		out = append(out, "documents")
	}
	if parts.Has(engine.Metadata) || parts.Has(engine.Titles) && s.roles.Title != "" || parts.Has(engine.Texts) && s.roles.Text != "" && s.roles.Text != theDocument {
		out = append(out, "metadatas")
	}
	if parts.Has(engine.Vectors) {
		out = append(out, "embeddings")
	}
	return out
}

// document is the wanted parts of the i-th record. It has no vector where that has no
// direction.
func (s *Store) document(a *answer, i int, parts engine.Parts) (engine.Document, error) {
	d := engine.Document{ID: a.IDs[i]}
	if d.ID == "" {
		return d, &formError{"a record has no id"}
	}
	if parts.Has(engine.Texts) {
		if s.roles.Text != theDocument {
			d.Text = textOf(a.Metadatas[i][s.roles.Text])
		} else if text := a.Documents[i]; text != nil {
			d.Text = *text
		}
	}
	if parts.Has(engine.Titles) {
		d.Title = textOf(a.Metadatas[i][s.roles.Title])
	}
	if parts.Has(engine.Vectors) {
		d.Vector = s.lengths.Unit(a.Embeddings[i])
	}
	if !parts.Has(engine.Metadata) {
		return d, nil
	}
	var err error
	d.Metadata, err = s.metadata(a.Metadatas[i])
	return d, err
}

// metadata is what has no other role, in the order of the keys: Chroma has none.
func (s *Store) metadata(all map[string]json.RawMessage) (json.RawMessage, error) {
	rest := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		if key != s.roles.Title && key != s.roles.Text {
			rest[key] = value
		}
	}
	if len(rest) == 0 {
		return nil, nil
	}
	return marshal(rest)
}

// textOf is a value as a text.
func textOf(value json.RawMessage) (text string) {
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// list is what is nearest to a vector, the nearest first.
type list struct {
	ids  []string
	last float64 // the similarity of the last
}

// decodeLists reads the answer to a query for what is nearest to some vectors.
func decodeLists(raw []byte, vectors int, space string) ([]list, error) {
	var a struct {
		IDs       [][]string   `json:"ids"`
		Distances [][]*float64 `json:"distances"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, &formError{err.Error()}
	}
	if len(a.IDs) != vectors || len(a.Distances) != vectors {
		return nil, &formError{fmt.Sprintf("%d lists and %d of distances, for %d vectors", len(a.IDs), len(a.Distances), vectors)}
	}
	lists := make([]list, vectors)
	for j, ids := range a.IDs {
		if len(a.Distances[j]) != len(ids) {
			return nil, &formError{fmt.Sprintf("%d records with %d distances", len(ids), len(a.Distances[j]))}
		}
		l := list{ids: ids, last: 1}
		for i, id := range ids {
			x := a.Distances[j][i]
			if x == nil || math.IsNaN(*x) || id == "" {
				return nil, &formError{fmt.Sprintf("no distance of record %.40q", id)}
			}
			l.last = min(l.last, similarity(space, *x))
		}
		lists[j] = l
	}
	return lists, nil
}

// similarity is the cosine that a distance stands for, between vectors of length 1.
func similarity(space string, distance float64) float64 {
	if space == square {
		return 1 - distance/2
	}
	return 1 - distance
}
