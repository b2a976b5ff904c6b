package chroma

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

// refOf is the Ref of a document, 63 bits of its id's hash. It is that of all its
// versions, and it is the name of its record in Chroma: ids of ours may be what
// Chroma's may not, and no server has to be asked for the next number. Two ids of
// one hash are refused when they are stored.
func refOf(id string) engine.Ref {
	sum := sha256.Sum256([]byte(id))
	return engine.Ref(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// nameLength is that of a record's name, the ref in hexadecimal digits.
const nameLength = 16

func nameOf(ref engine.Ref) string { return fmt.Sprintf("%0*x", nameLength, uint64(ref)) }

// refNamed reads the name of a document's record, or the beginning of a passage's.
func refNamed(name string) (engine.Ref, error) {
	if len(name) < nameLength {
		return 0, &formError{fmt.Sprintf("a record is named %q", name)}
	}
	ref, err := strconv.ParseUint(name[:nameLength], 16, 63)
	if err != nil {
		return 0, &formError{fmt.Sprintf("a record is named %.40q", name)}
	}
	return engine.Ref(ref), nil
}

// passageName has the version in it, so that the passages of two versions are
// records of their own.
func passageName(ref engine.Ref, version int64, i int) string {
	return fmt.Sprintf("%s.%x.%d", nameOf(ref), version, i)
}

// What a record says besides its keys.
const (
	sayID       = "id"
	sayRef      = "ref"      // a number, which conditions can compare
	sayVersion  = "version"  // a number that is new whenever a document is stored
	sayVectors  = "vectors"  // those of the document and its passages, in base64
	sayMetadata = "metadata" // as it was given
)

// saying is what a document's record says that Pool needs.
type saying struct {
	ID       string `json:"id"`
	Version  int64  `json:"version"`
	Vectors  string `json:"vectors"`
	Metadata string `json:"metadata"`
}

// body is what a document says that only a reader of it needs. It is the uri of the
// record: Chroma indexes what it calls the document for full-text search, which
// takes longer than all the rest and which nobody uses here.
type body struct {
	Version  int64    `json:"version"`
	Title    string   `json:"title,omitempty"`
	Text     string   `json:"text,omitempty"`
	Passages []string `json:"passages,omitempty"`
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
		if n := vec.Norm(vectors[i]); !(math.Abs(n-1) < 1e-3) { // NaN neither
			return nil, fmt.Errorf("its vector %d has length %g, not 1", i, n)
		}
	}
	return vectors, nil
}

// record is a document as it was read.
type record struct {
	saying
	ref     engine.Ref
	vectors [][]float32
	body    *body                      // nil where it was not asked for
	said    map[string]json.RawMessage // all of it, where only that was asked for
}

// similarity is that of the document to a unit vector, by the definition in package
// engine.
func (r *record) similarity(v []float32) float32 {
	whole := vec.Dot(r.vectors[0], v)
	if len(r.vectors) == 1 {
		return whole
	}
	best := vec.Dot(r.vectors[1], v)
	for _, p := range r.vectors[2:] {
		best = max(best, vec.Dot(p, v))
	}
	return (whole + best) / 2
}

// document is what was stored.
func (r *record) document() engine.Document {
	d := engine.Document{ID: r.ID, Title: r.body.Title, Text: r.body.Text, Vector: r.vectors[0]}
	if r.Metadata != "" {
		d.Metadata = json.RawMessage(r.Metadata)
	}
	for i, text := range r.body.Passages {
		p := engine.Passage{Text: text}
		if len(r.vectors) > 1 {
			p.Vector = r.vectors[1+i]
		}
		d.Passages = append(d.Passages, p)
	}
	return d
}
