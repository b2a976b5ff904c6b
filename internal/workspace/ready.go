package workspace

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// demoVectors holds the vectors of the demo's texts by the built-in encoder, so the first
// search need not compute them: the SHA-256 of the encoder's weights, then for each text
// a prefix of its SHA-256, and its vector as a scale and int8 codes.
//
//go:embed demo.vectors
var demoVectors string

// precomputed is an encoder with precomputed vectors.
type precomputed struct {
	encoder.Encoder
	known map[string]string // encoded vectors by the prefix of their text's SHA-256
}

// keySize is the length of the SHA-256 prefix that identifies a text.
const keySize = 8

// withVectors returns an encoder that looks up vectors in a file like demoVectors. If the
// file was made with a different encoder, it returns e.
func withVectors(e encoder.Encoder, file string) encoder.Encoder {
	id := e.Identity()
	weights, err := hex.DecodeString(id.Weights)
	size := keySize + 4 + id.Dimension
	if err != nil || len(weights) != sha256.Size || len(file) < sha256.Size || file[:sha256.Size] != string(weights) || (len(file)-sha256.Size)%size != 0 {
		return e
	}
	r := &precomputed{e, map[string]string{}}
	for rest := file[sha256.Size:]; rest != ""; rest = rest[size:] {
		r.known[rest[:keySize]] = rest[keySize:size]
	}
	return r
}

// Encode encodes only the texts without a precomputed vector.
func (r *precomputed) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	var places []int
	var others []string
	for i, text := range texts {
		known, ok := r.known[keyOf(text)]
		if !ok {
			places, others = append(places, i), append(others, text)
			continue
		}
		scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(known)))
		v := make([]float32, len(known)-4)
		for j := range v {
			v[j] = scale * float32(int8(known[4+j]))
		}
		if err := vec.Normalize(v); err != nil {
			return encoder.Encoded{}, err
		}
		out.Vectors[i] = v
	}
	encoded, err := r.Encoder.Encode(ctx, role, others)
	if err != nil {
		return encoder.Encoded{}, err
	}
	for i, at := range places {
		out.Vectors[at], out.Cut[at] = encoded.Vectors[i], encoded.Cut[i]
	}
	return out, nil
}

func keyOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:keySize])
}
