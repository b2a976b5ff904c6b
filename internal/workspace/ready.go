package workspace

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/vec"
)

// demoVectors are the vectors that the built-in encoder makes of the demo's texts, so that
// a first search does not wait for it: the sha256 of its weights, then for each text the
// beginning of its own, and its vector as a scale and int8 codes.
//
//go:embed demo.vectors
var demoVectors string

// ready is an encoder that knows some vectors beforehand.
type ready struct {
	encoder.Encoder
	known map[string]string // of a vector by the beginning of its text's sha256
}

// keySize is how much of a text's sha256 tells it from the others.
const keySize = 8

// withVectors is an encoder that takes vectors from a file like demoVectors. Where that was
// made with another one, it encodes everything itself.
func withVectors(e encoder.Encoder, file string) encoder.Encoder {
	id := e.Identity()
	weights, err := hex.DecodeString(id.Weights)
	size := keySize + 4 + id.Dimension
	if err != nil || len(weights) != sha256.Size || len(file) < sha256.Size || file[:sha256.Size] != string(weights) || (len(file)-sha256.Size)%size != 0 {
		return e
	}
	r := &ready{e, map[string]string{}}
	for rest := file[sha256.Size:]; rest != ""; rest = rest[size:] {
		r.known[rest[:keySize]] = rest[keySize:size]
	}
	return r
}

// Encode has only what is not known encoded.
func (r *ready) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
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
