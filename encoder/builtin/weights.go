package builtin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
)

const (
	magic   = "NSFLENC\x00"
	version = 1
)

// read reads a model. Its matrices are views of data, which the operating system maps
// read-only and shares between processes; the rest is copied. training/export.py describes
// the format.
func read(data string) (*Encoder, error) {
	e, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("reading the built-in encoder's weights: %w", err)
	}
	return e, nil
}

func parse(data string) (*Encoder, error) {
	r := &reader{rest: data}
	if r.bytes(len(magic)) != magic {
		return nil, errors.New("not a weights file: wrong magic bytes")
	}
	if v := r.number(); v != version {
		return nil, fmt.Errorf("file format has version %d, want %d: export it with this version's training/export.py", v, version)
	}
	want := r.bytes(sha256.Size)
	if r.err != nil {
		return nil, r.err
	}
	if got := sha256.Sum256(view[byte](r.rest)); string(got[:]) != want {
		return nil, errors.New("the checksum differs: the file is damaged")
	}

	// The checksum guarantees the rest of the file.
	layers := r.number()
	m := &bert.Model{Dim: r.number(), Heads: r.number(), Inner: r.number(), Epsilon: 1e-12}
	words := r.number()
	m.Limit = r.number()
	revision := r.string()
	pieces := r.string()
	m.Words = r.matrix(words, m.Dim)
	m.Positions = r.floats(m.Limit * m.Dim)
	m.Norm = r.norm(m.Dim)
	for range layers {
		if r.err != nil {
			break
		}
		m.Layers = append(m.Layers, bert.Layer{
			Attend:        r.linear(3*m.Dim, m.Dim),
			Output:        r.linear(m.Dim, m.Dim),
			AttentionNorm: r.norm(m.Dim),
			Up:            r.linear(m.Inner, m.Dim),
			Down:          r.linear(m.Dim, m.Inner),
			Norm:          r.norm(m.Dim),
		})
	}
	if r.err == nil && r.rest != "" {
		r.err = fmt.Errorf("%d bytes after the last layer", len(r.rest))
	}
	if r.err != nil {
		return nil, r.err
	}
	// One word piece per line in the order of ids, as in the teacher's tokenizer.json.
	e := &Encoder{model: m, pieces: strings.Split(pieces, "\n")}
	if len(e.pieces) != words {
		return nil, fmt.Errorf("%d word pieces, want %d", len(e.pieces), words)
	}
	sum := sha256.Sum256(view[byte](data))
	e.identity = encoder.Identity{
		Name: Name, Revision: revision, Dimension: m.Dim, Pooling: "mean", MaxTokens: m.Limit, Weights: hex.EncodeToString(sum[:]),
	}
	var err error
	e.tokens, err = tokenizer.Uncased(e.pieces)
	return e, err
}
