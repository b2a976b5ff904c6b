package weaviate

import (
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// object is a document as it is sent.
func (r *row) object(class string) *wire.BatchObject {
	fields := map[string]*structpb.Value{
		idProperty:      structpb.NewStringValue(r.ID),
		titleProperty:   structpb.NewStringValue(r.Title),
		textProperty:    structpb.NewStringValue(r.Text),
		vectorsProperty: structpb.NewNumberValue(float64(len(r.rows))),
	}
	if len(r.Metadata) > 0 {
		fields[metadataProperty] = structpb.NewStringValue(string(r.Metadata))
	}
	lists := []*wire.TextArrayProperties{{PropName: tokensProperty, Values: r.tokens}}
	if len(r.Passages) > 0 {
		texts := make([]string, len(r.Passages))
		for i, p := range r.Passages {
			texts[i] = p.Text
		}
		lists = append(lists, &wire.TextArrayProperties{PropName: passagesProperty, Values: texts})
	}
	o := &wire.BatchObject{
		Uuid: r.key.String(), Collection: class,
		Properties: &wire.BatchObject_Properties{NonRefProperties: &structpb.Struct{Fields: fields}, TextArrayProperties: lists},
		Vectors:    []*wire.Vectors{vectorMessage(r.rows[0])},
	}
	if len(r.rows) > 1 {
		o.Vectors = append(o.Vectors, vectorsMessage(r.rows[1:]))
	}
	return o
}

// stored is a document as it is read, by the names of its properties, without its
// vectors.
type stored struct {
	ID       string   `json:"document"`
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	Metadata string   `json:"metadata"`
	Passages []string `json:"passages"`
}

// document makes a document of it.
func (o *stored) document(rows [][]float32) (engine.Document, error) {
	d := engine.Document{ID: o.ID, Title: o.Title, Text: o.Text, Vector: rows[0]}
	if d.ID == "" {
		return d, errors.New("a stored document has no id: something else has changed it, or made it")
	}
	if o.Metadata != "" {
		d.Metadata = json.RawMessage(o.Metadata)
	}
	for _, text := range o.Passages {
		d.Passages = append(d.Passages, engine.Passage{Text: text})
	}
	if len(rows) == 1 {
		return d, nil
	}
	if len(d.Passages) != len(rows)-1 {
		return d, fmt.Errorf("the document %.64q has %d passages and %d vectors of passages: something else has changed it", d.ID, len(d.Passages), len(rows)-1)
	}
	for i, row := range rows[1:] {
		d.Passages[i].Vector = row
	}
	return d, nil
}

// textIn is a property of a result.
func textIn(r *wire.SearchResult, property string) string {
	return r.GetProperties().GetNonRefProps().GetFields()[property].GetTextValue()
}

// storedIn reads a result of a search.
func storedIn(r *wire.SearchResult) *stored {
	return &stored{
		ID: textIn(r, idProperty), Title: textIn(r, titleProperty), Text: textIn(r, textProperty), Metadata: textIn(r, metadataProperty),
		Passages: r.GetProperties().GetNonRefProps().GetFields()[passagesProperty].GetListValue().GetTextValues().GetValues(),
	}
}

// object is a document as it comes over HTTP.
type object struct {
	Properties stored
	Vectors    struct {
		Whole    []float32
		Passages [][]float32
	}
}

// rows are its vectors, that of the whole first.
func (o *object) rows(dim int) ([][]float32, error) {
	rows := append([][]float32{o.Vectors.Whole}, o.Vectors.Passages...)
	for _, row := range rows {
		if len(row) != dim {
			return nil, fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(row), dim)
		}
		if err := isUnit(row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// keyIn is the key of a result.
func keyIn(r *wire.SearchResult) (key, error) {
	k, err := parseKey(r.GetMetadata().GetId())
	if err != nil {
		return k, fmt.Errorf("the server has found %w: %w", err, errGarbage)
	}
	return k, nil
}
