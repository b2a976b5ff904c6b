package chroma

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// nameOf is the name of a document's record in Chroma, half of its id's hash in
// hexadecimal digits: ids of ours may be what Chroma's may not, no server has to be
// asked for the next number, and no two ids that anybody will ever have share one. It
// is the Key of the document's Ref, that of all its versions.
func nameOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:nameLength/2])
}

const nameLength = 32

// nameIn reads the name of a document's record, or the beginning of a passage's.
func nameIn(name string) (string, error) {
	if len(name) >= nameLength && isName(name[:nameLength]) {
		return name[:nameLength], nil
	}
	return "", &formError{fmt.Sprintf("a record is named %.40q", name)}
}

func isName(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && hex.EncodeToString(b) == s && len(s) == nameLength
}

// numberOf is a number that is ordered as names are, but equal for those that begin
// alike.
func numberOf(name string) int64 {
	n, err := strconv.ParseUint(name[:16], 16, 64)
	if err != nil {
		panic(err) // it is a name
	}
	return int64(n >> 1)
}

// passageName has the version in it, so that the passages of two versions are
// records of their own.
func passageName(name string, version int64, i int) string {
	return fmt.Sprintf("%s.%x.%d", name, version, i)
}

// What a record says besides its keys.
const (
	sayID       = "id"
	sayNumber   = "number"   // that of its name, which conditions can compare
	sayOf       = "of"       // of a passage: the name of the document's record
	sayVersion  = "version"  // a number that is new whenever a document is stored
	sayVectors  = "vectors"  // those of the document and its passages, in base64
	sayMetadata = "metadata" // as it was given
	sayPieces   = "pieces"   // of its words, in base64
)

// saying is what a document's record says that searches need.
type saying struct {
	ID       string `json:"id"`
	Version  int64  `json:"version"`
	Vectors  string `json:"vectors"`
	Metadata string `json:"metadata"`
	Pieces   string `json:"pieces"`
}

// body is what a document says that only a reader of it needs. It is the uri of the
// record: Chroma indexes what it calls the document for full-text search, which
// takes longer than all the rest and which nobody uses here.
type body struct {
	Version  int64          `json:"version"`
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text,omitempty"`
	Passages []engine.Noted `json:"passages,omitempty"`
}

// pack writes vectors as base64 of their components, which is half as long as
// decimal digits and read in a fraction of the time.
func pack(vectors [][]float32) string {
	b := make([]byte, 0, 4*len(vectors)*len(vectors[0]))
	for _, v := range vectors {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return base64.StdEncoding.EncodeToString(b)
}

// packPieces writes pieces of words in the same way.
func packPieces(pieces []uint16) string {
	return base64.StdEncoding.EncodeToString(pooling.PackPieces(pieces))
}

// unpackPieces reads them.
func unpackPieces(text string) ([]uint16, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("its words are not in base64")
	}
	return pooling.UnpackPieces(b)
}

// unpack reads vectors, at least one, all of length 1.
func unpack(text string, dim int) ([][]float32, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) == 0 || len(b)%(4*dim) != 0 {
		return nil, fmt.Errorf("its vectors are not some of %d dimensions", dim)
	}
	all := make([]float32, len(b)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	vectors := make([][]float32, len(all)/dim)
	for i := range vectors {
		vectors[i] = all[i*dim : (i+1)*dim : (i+1)*dim]
		if err := pooling.CheckUnit(vectors[i], dim); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// row is a document as it is stored.
type row struct {
	*engine.Document
	name    string
	vectors [][]float32 // its own and, where they are kept, those of its passages
	keys    map[string]any
	pieces  []uint16 // of its words
}

// rowsOf checks documents, scales their vectors and spells their words.
func rowsOf(ctx context.Context, docs []engine.Document, dim int) ([]row, error) {
	if err := engine.Check(docs, dim, nil); err != nil { // before anything long is read
		return nil, err
	}
	spelled, err := pooling.Spell(ctx, docs)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) (problem string) {
		values, err := engine.Values(docs[i].Metadata)
		if err != nil {
			return err.Error()
		}
		rows[i] = row{Document: &docs[i], name: nameOf(docs[i].ID), keys: keysOf(values), pieces: spelled[i]}
		rows[i].vectors, problem = pooling.Units(&docs[i], dim)
		return problem
	})
}

// entry is a record as it is sent.
type entry struct {
	name                    string
	vector, metadata, texts json.RawMessage
}

func (e *entry) size() int { return len(e.name) + len(e.vector) + len(e.metadata) + len(e.texts) + 16 }

func newEntry(name string, vector []float32, metadata map[string]any, texts any) (e entry, err error) {
	e.name = name
	if e.vector, err = marshal(vector); err != nil {
		return e, err
	}
	if e.metadata, err = marshal(metadata); err != nil {
		return e, err
	}
	e.texts = json.RawMessage("null")
	if texts != nil {
		var inner []byte
		if inner, err = marshal(texts); err == nil {
			e.texts, err = marshal(string(inner))
		}
	}
	return e, err
}

// entry is the document's record. Chroma keeps what the one before says and this
// one does not, so that it says of those keys that they are gone.
func (r *row) entry(version int64, before *record) (entry, error) {
	m := map[string]any{}
	if before != nil {
		for key := range before.said {
			m[key] = nil
		}
	}
	maps.Copy(m, r.keys)
	m[sayID], m[sayNumber], m[sayVersion] = r.ID, numberOf(r.name), version
	m[sayVectors], m[sayMetadata] = pack(r.vectors), string(r.Metadata)
	m[sayPieces] = packPieces(r.pieces)
	b := body{Version: version, Title: r.Title, Text: r.Text, Passages: engine.Note(r.Passages)}
	return newEntry(r.name, r.vectors[0], m, b)
}

// passage is the record of the i-th vector. It has the document's keys, so that
// conditions say the same of it.
func (r *row) passage(version int64, i int) (entry, error) {
	m := maps.Clone(r.keys)
	m[sayOf], m[sayVersion] = r.name, version
	return newEntry(passageName(r.name, version, i-1), r.vectors[i], m, nil)
}
