// Package recent keeps the vectors of texts that an encoder has seen of late. It is an
// encoder itself, with the identity and the vectors of the one inside, which is asked for
// each text once: of the copies that a folder holds of one file, the first is encoded.
//
// It is made for one run over documents and remembers as much as it is told to; what was
// used longest ago goes first. Package cache keeps vectors for longer, on the disk.
package recent

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
)

// Encoder is an encoder that remembers. It is safe for concurrent use.
type Encoder struct {
	encoder.Encoder
	most int // vectors

	mu    sync.Mutex
	known map[key]*list.Element
	order *list.List // of entries, those used last in front
}

type key [sha256.Size]byte

type entry struct {
	key    key
	vector []float32
	cut    bool
}

// New remembers vectors of up to so many bytes.
func New(inner encoder.Encoder, bytes int) *Encoder {
	return &Encoder{
		Encoder: inner, most: max(1, bytes/(4*inner.Identity().Dimension)),
		known: map[key]*list.Element{}, order: list.New(),
	}
}

// Unwrap is the encoder inside.
func (e *Encoder) Unwrap() encoder.Encoder { return e.Encoder }

// Encode has those texts encoded that are not remembered, each once.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	keys := make([]key, len(texts))
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	var fresh []string
	asked := map[key]int{} // where a text is in fresh
	e.mu.Lock()
	for i, text := range texts {
		keys[i] = sha256.Sum256([]byte(role.String() + "\x00" + text))
		if at, ok := e.known[keys[i]]; ok {
			e.order.MoveToFront(at)
			old := at.Value.(*entry)
			out.Vectors[i], out.Cut[i] = slices.Clone(old.vector), old.cut
		} else if _, ok := asked[keys[i]]; !ok {
			asked[keys[i]] = len(fresh)
			fresh = append(fresh, text)
		}
	}
	e.mu.Unlock()
	encoded, err := e.Encoder.Encode(ctx, role, fresh)
	if err != nil {
		return encoder.Encoded{}, err
	}
	for i, k := range keys {
		if out.Vectors[i] == nil {
			at := asked[k]
			out.Vectors[i], out.Cut[i] = slices.Clone(encoded.Vectors[at]), encoded.Cut[at]
		}
	}
	e.remember(asked, encoded)
	return out, nil
}

// remember keeps what was encoded.
func (e *Encoder) remember(asked map[key]int, encoded encoder.Encoded) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k, at := range asked {
		if e.known[k] == nil { // another call may have been faster
			e.known[k] = e.order.PushFront(&entry{k, encoded.Vectors[at], encoded.Cut[at]})
		}
	}
	for e.order.Len() > e.most {
		delete(e.known, e.order.Remove(e.order.Back()).(*entry).key)
	}
}
