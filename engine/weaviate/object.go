package weaviate

import (
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// object is a document as it is sent.
func (r *row) object(class string) *wire.BatchObject {
	fields := map[string]*structpb.Value{
		idProperty:      structpb.NewStringValue(r.ID),
		titleProperty:   structpb.NewStringValue(r.Title),
		textProperty:    structpb.NewStringValue(r.Text),
		vectorsProperty: structpb.NewNumberValue(float64(len(r.rows))),
		piecesProperty:  structpb.NewStringValue(r.pieces),
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
	if r.places != "" {
		fields[placesProperty] = structpb.NewStringValue(r.places)
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

// textIn is a property of a result.
func textIn(r *wire.SearchResult, property string) string {
	return r.GetProperties().GetNonRefProps().GetFields()[property].GetTextValue()
}

// storedIn reads a result of a search for the wanted parts.
func (s *Store) storedIn(r *wire.SearchResult, parts engine.Parts) (*pooling.Stored, error) {
	o := &pooling.Stored{
		ID: textIn(r, idProperty), Title: textIn(r, titleProperty), Text: textIn(r, textProperty), Metadata: textIn(r, metadataProperty),
	}
	texts := r.GetProperties().GetNonRefProps().GetFields()[passagesProperty].GetListValue().GetTextValues().GetValues()
	var err error
	if o.Passages, err = noted(texts, textIn(r, placesProperty)); err != nil {
		return o, err
	}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		o.Rows, err = decodeVectors(r.GetMetadata().GetVectors(), s.dim)
	}
	return o, err
}

// object is a document as it comes over HTTP.
type object struct {
	Properties struct {
		Document, Title, Text, Metadata, Places string
		Passages                                []string
	}
	Vectors struct {
		Whole    []float32
		Passages [][]float32
	}
}

// stored is what of it was stored.
func (o *object) stored(dim int) (*pooling.Stored, error) {
	p := &o.Properties
	rows := append([][]float32{o.Vectors.Whole}, o.Vectors.Passages...)
	for _, row := range rows {
		if err := pooling.CheckUnit(row, dim); err != nil {
			return nil, err
		}
	}
	passages, err := noted(p.Passages, p.Places)
	return &pooling.Stored{ID: p.Document, Title: p.Title, Text: p.Text, Metadata: p.Metadata, Passages: passages, Rows: rows}, err
}

// keyIn is the key of a result.
func keyIn(r *wire.SearchResult) (key, error) {
	k, err := parseKey(r.GetMetadata().GetId())
	if err != nil {
		return k, fmt.Errorf("the server has found %w: %w", err, errGarbage)
	}
	return k, nil
}
