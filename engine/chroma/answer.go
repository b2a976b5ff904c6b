package chroma

import (
	"encoding/json"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// answer is the answer to a get request.
type answer struct {
	IDs        []string                     `json:"ids"`
	Embeddings [][]float32                  `json:"embeddings"`
	Documents  []json.RawMessage            `json:"documents"`
	Metadatas  []map[string]json.RawMessage `json:"metadatas"`
}

// decode reads records. Parts that were not requested are empty.
func decode(raw []byte, include []string, dim int) (*answer, error) {
	a := &answer{}
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, remote.BadAnswer("%v", err)
	}
	asked := map[string]bool{}
	for _, part := range include {
		asked[part] = true
	}
	n := len(a.IDs)
	empty(&a.Embeddings, asked["embeddings"], n)
	empty(&a.Documents, asked["documents"], n)
	empty(&a.Metadatas, asked["metadatas"], n)
	if len(a.Embeddings) != n || len(a.Documents) != n || len(a.Metadatas) != n {
		return nil, remote.BadAnswer("%d records, %d embeddings, %d documents, %d metadatas", n, len(a.Embeddings), len(a.Documents), len(a.Metadatas))
	}
	for i, id := range a.IDs {
		switch v := a.Embeddings[i]; {
		case id == "":
			return nil, remote.BadAnswer("a record has no id")
		case asked["embeddings"] && len(v) != dim:
			return nil, remote.BadAnswer("the embedding of record %.40q has %d dimensions, the collection has %d", id, len(v), dim)
		}
	}
	return a, nil
}

// empty empties a part that was not requested.
func empty[T any](part *[]T, asked bool, n int) {
	if !asked {
		*part = make([]T, n)
	}
}

// include returns the names of the parts to request.
func (d *driver) include(want remote.Want) []string {
	parts, out := want.All(), []string{}
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

// entry returns the wanted parts of the i-th record.
func (d *driver) entry(a *answer, i int, want remote.Want) (*remote.Entry, error) {
	fields := map[string]json.RawMessage{theDocument: a.Documents[i]}
	for name, value := range a.Metadatas[i] {
		fields[name] = value
	}
	if d.roles.Text != theDocument {
		delete(fields, theDocument)
	}
	doc, err := d.roles.Document(a.IDs[i], fields, want)
	if want.Parts.Has(engine.Vectors) {
		doc.Vector = a.Embeddings[i]
	}
	return &remote.Entry{Ref: engine.Ref{Key: doc.ID}, Document: doc}, err
}

// decodeHits reads the answer to a search by one vector.
func decodeHits(raw []byte) ([]remote.Hit, error) {
	var a struct {
		IDs [][]string `json:"ids"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, remote.BadAnswer("%v", err)
	}
	if len(a.IDs) != 1 {
		return nil, remote.BadAnswer("%d lists, for one vector", len(a.IDs))
	}
	hits := make([]remote.Hit, len(a.IDs[0]))
	for i, id := range a.IDs[0] {
		if id == "" {
			return nil, remote.BadAnswer("a record has no id")
		}
		hits[i].Ref.Key = id
	}
	return hits, nil
}
