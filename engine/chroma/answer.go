package chroma

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine/pooling"
)

// errTorn is that a record was read while it was replaced.
var errTorn = errors.New("its texts are of another version than the rest")

// detail is how much of records is read.
type detail int

const (
	onlyNames   detail = iota // that they are there
	onlySaid                  // what they say, not taken apart
	onlyWords                 // the pieces of words, and metadata
	withVectors               // what Pool needs
	withTexts                 // all of it
)

func (d detail) include() []string {
	switch d {
	case onlyNames:
		return []string{}
	case withTexts:
		return []string{"metadatas", "uris"}
	}
	return []string{"metadatas"}
}

// record is a document as it was read.
type record struct {
	pooling.Stored
	name    string
	version int64
	said    map[string]json.RawMessage // all of it, where only that was asked for
	pieces  []uint16                   // of its words, where only those were asked for
	spelled bool                       // it has words
}

// decodeRecords reads the answer to a get of documents.
func decodeRecords(answer []byte, d detail, dim int) ([]*record, error) {
	switch d {
	case onlyNames:
		return decode(answer, d, func(*record, json.RawMessage) error { return nil })
	case onlySaid:
		return decode(answer, d, func(r *record, said map[string]json.RawMessage) error {
			r.said = said
			return nil
		})
	case onlyWords:
		return decode(answer, d, func(r *record, s saying) (err error) {
			r.Metadata = s.Metadata
			r.pieces, err = unpackPieces(s.Pieces)
			return err
		})
	}
	return decode(answer, d, func(r *record, s saying) error { return r.fill(s, dim) })
}

// decode reads records that say an M.
func decode[M any](answer []byte, d detail, fill func(*record, M) error) ([]*record, error) {
	var a struct {
		IDs       []string  `json:"ids"`
		Metadatas []M       `json:"metadatas"`
		URIs      []*string `json:"uris"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, &formError{err.Error()}
	}
	if d == onlyNames {
		a.Metadatas = make([]M, len(a.IDs)) // which nobody asked for
	}
	if len(a.Metadatas) != len(a.IDs) || d == withTexts && len(a.URIs) != len(a.IDs) {
		return nil, &formError{fmt.Sprintf("%d records, %d metadatas, %d uris", len(a.IDs), len(a.Metadatas), len(a.URIs))}
	}
	records := make([]*record, len(a.IDs))
	for i, id := range a.IDs {
		name, err := nameIn(id)
		if err != nil {
			return nil, err
		}
		records[i] = &record{name: name}
		err = fill(records[i], a.Metadatas[i])
		if err == nil && d == withTexts {
			err = records[i].fillBody(a.URIs[i])
		}
		if err != nil {
			return nil, fmt.Errorf("record %s has been damaged, or is not of nsfl: %w; store its document again", name, err)
		}
	}
	return records, nil
}

// fill takes apart what a record says.
func (r *record) fill(s saying, dim int) (err error) {
	r.ID, r.Metadata, r.version, r.spelled = s.ID, s.Metadata, s.Version, s.Pieces != ""
	if nameOf(r.ID) != r.name {
		return fmt.Errorf("it is of the document %.40q", r.ID)
	}
	r.Rows, err = unpack(s.Vectors, dim)
	return err
}

func (r *record) fillBody(uri *string) error {
	if uri == nil {
		return errors.New("it has no texts")
	}
	var b body
	if err := json.Unmarshal([]byte(*uri), &b); err != nil {
		return fmt.Errorf("its texts: %w", err)
	}
	if b.Version != r.version {
		return errTorn
	}
	if n := len(r.Rows); n > 1 && n != 1+len(b.Passages) || n == 1 && len(b.Passages) > 1 {
		return fmt.Errorf("it has %d passages and %d vectors", len(b.Passages), n)
	}
	r.Title, r.Text, r.Passages = b.Title, b.Text, b.Passages
	return nil
}

// list is what is nearest to a vector, the nearest first.
type list struct {
	names []string // of documents; one may be there several times, by its passages
	last  float64  // the similarity of the last
}

// decodeLists reads the answer to a query for what is nearest to some vectors.
func decodeLists(answer []byte, vectors int) ([]list, error) {
	var a struct {
		IDs       [][]string   `json:"ids"`
		Distances [][]*float64 `json:"distances"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, &formError{err.Error()}
	}
	if len(a.IDs) != vectors || len(a.Distances) != vectors {
		return nil, &formError{fmt.Sprintf("%d lists and %d of distances, for %d vectors", len(a.IDs), len(a.Distances), vectors)}
	}
	lists := make([]list, vectors)
	for j, names := range a.IDs {
		if len(a.Distances[j]) != len(names) {
			return nil, &formError{fmt.Sprintf("%d records with %d distances", len(names), len(a.Distances[j]))}
		}
		l := list{names: make([]string, len(names)), last: 1}
		for i, name := range names {
			var err error
			if l.names[i], err = nameIn(name); err != nil {
				return nil, err
			}
			if x := a.Distances[j][i]; x == nil || math.IsNaN(*x) {
				return nil, &formError{fmt.Sprintf("no distance of record %s", name)}
			} else if 1-*x < l.last {
				l.last = 1 - *x
			}
		}
		lists[j] = l
	}
	return lists, nil
}
