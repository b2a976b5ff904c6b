package vectors

import (
	"encoding/json"
)

// record is a row as lines and tables hold it, named as Fields expects.
type record struct {
	ID             string      `json:"id,omitempty" parquet:"id,optional,plain"`
	Title          string      `json:"title,omitempty" parquet:"title,optional,plain"`
	Text           string      `json:"text,omitempty" parquet:"text,optional,plain"`
	Passages       []string    `json:"passages,omitempty" parquet:"passages,list"`
	PassageVectors [][]float32 `json:"passage_vectors,omitempty" parquet:"passage_vectors,list"`
	PassagePlaces  []object    `json:"passage_places,omitempty" parquet:"passage_places,list"`
	Metadata       object      `json:"metadata,omitempty" parquet:"metadata,optional,plain"`
	Vector         []float32   `json:"vector,omitempty" parquet:"vector,list"`
}

// object is the text of a JSON object, and in JSON the object.
type object string

// MarshalJSON is json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) { return []byte(o), nil }

func recordOf(row *Row) record {
	r := record{ID: row.ID, Title: row.Title, Text: row.Text, Metadata: object(row.Metadata), Vector: row.Vector}
	for _, p := range row.Passages {
		r.Passages = append(r.Passages, p.Text)
		if len(p.Vector) > 0 {
			r.PassageVectors = append(r.PassageVectors, p.Vector)
		}
	}
	for _, p := range row.Places() {
		place, err := json.Marshal(p)
		if err != nil {
			panic(err) // a string and numbers
		}
		r.PassagePlaces = append(r.PassagePlaces, object(place))
	}
	return r
}
