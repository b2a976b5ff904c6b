package weaviate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weaviate/weaviate/entities/models"
	pb "github.com/weaviate/weaviate/grpc/generated/protocol/v1"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/nsfl-go/nsfl/engine"
)

// object is a document as it is sent.
func (r *row) object(class string) *pb.BatchObject {
	fields := map[string]*structpb.Value{
		idProperty:      structpb.NewStringValue(r.ID),
		titleProperty:   structpb.NewStringValue(r.Title),
		textProperty:    structpb.NewStringValue(r.Text),
		vectorsProperty: structpb.NewNumberValue(float64(len(r.rows))),
	}
	if len(r.Metadata) > 0 {
		fields[metadataProperty] = structpb.NewStringValue(string(r.Metadata))
	}
	lists := []*pb.TextArrayProperties{{PropName: tokensProperty, Values: r.tokens}}
	if len(r.Passages) > 0 {
		texts := make([]string, len(r.Passages))
		for i, p := range r.Passages {
			texts[i] = p.Text
		}
		lists = append(lists, &pb.TextArrayProperties{PropName: passagesProperty, Values: texts})
	}
	o := &pb.BatchObject{
		Uuid: r.key.String(), Collection: class,
		Properties: &pb.BatchObject_Properties{NonRefProperties: &structpb.Struct{Fields: fields}, TextArrayProperties: lists},
		Vectors:    []*pb.Vectors{vectorMessage(r.rows[0])},
	}
	if len(r.rows) > 1 {
		o.Vectors = append(o.Vectors, vectorsMessage(r.rows[1:]))
	}
	return o
}

// stored is an object as it is read: texts and lists of texts by property.
type stored struct {
	texts map[string]string
	lists map[string][]string
}

// document makes a document of it.
func (o *stored) document(rows [][]float32) (engine.Document, error) {
	d := engine.Document{ID: o.texts[idProperty], Title: o.texts[titleProperty], Text: o.texts[textProperty], Vector: rows[0]}
	if d.ID == "" {
		return d, errors.New("a stored document has no id: something else has changed it, or made it")
	}
	if m := o.texts[metadataProperty]; m != "" {
		d.Metadata = json.RawMessage(m)
	}
	for _, text := range o.lists[passagesProperty] {
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

// storedIn reads a result of a search.
func storedIn(r *pb.SearchResult) *stored {
	o := &stored{map[string]string{}, map[string][]string{}}
	for name, v := range r.GetProperties().GetNonRefProps().GetFields() {
		if list := v.GetListValue(); list != nil {
			o.lists[name] = list.GetTextValues().GetValues()
		} else {
			o.texts[name] = v.GetTextValue()
		}
	}
	return o
}

// storedObject reads an object as it comes over HTTP, and its vectors.
func storedObject(object *models.Object, dim int) (*stored, [][]float32, error) {
	o := &stored{map[string]string{}, map[string][]string{}}
	properties, _ := object.Properties.(map[string]any)
	for name, v := range properties {
		switch v := v.(type) {
		case string:
			o.texts[name] = v
		case []any:
			for _, x := range v {
				text, _ := x.(string)
				o.lists[name] = append(o.lists[name], text)
			}
		}
	}
	whole, _ := object.Vectors[wholeVector].([]float32)
	passages, _ := object.Vectors[passageVectors].([][]float32)
	rows := append([][]float32{whole}, passages...)
	for _, row := range rows {
		if len(row) != dim {
			return nil, nil, fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(row), dim)
		}
		if err := isUnit(row); err != nil {
			return nil, nil, err
		}
	}
	return o, rows, nil
}

// keyIn is the key of a result.
func keyIn(r *pb.SearchResult) (key, error) {
	k, err := parseKey(r.GetMetadata().GetId())
	if err != nil {
		return k, fmt.Errorf("the server has found %w: %w", err, errGarbage)
	}
	return k, nil
}
