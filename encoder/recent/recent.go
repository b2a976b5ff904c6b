// Package recent caches the vectors of recently encoded texts in memory. It is itself an
// encoder, with the identity and vectors of the one it wraps, which encodes each text only
// once: of several copies of a file in a folder, only the first is encoded.
//
// It is meant for one run over documents. The cache is limited in size and evicts the
// least recently used vectors. Package cache stores vectors permanently, on disk.
package recent

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
)

// Encoder is an encoder with a cache in memory. It is safe for concurrent use.
type Encoder struct {
	encoder.Encoder
	most int // vectors in the cache

	mu    sync.Mutex
	known map[key]*list.Element
	order *list.List // of entries, most recently used first
}

type key [sha256.Size]byte

type entry struct {
	key    key
	vector []float32
	cut    bool
}

// New returns an encoder that caches up to the given number of bytes of vectors.
func New(inner encoder.Encoder, bytes int) *Encoder {
	return &Encoder{
		Encoder: inner, most: max(1, bytes/(4*inner.Identity().Dimension)),
		known: map[key]*list.Element{}, order: list.New(),
	}
}

// Unwrap returns the wrapped encoder.
func (e *Encoder) Unwrap() encoder.Encoder { return e.Encoder }

// Encode encodes texts that are not in the cache, each once.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	keys := make([]key, len(texts))
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	var fresh []string
	asked := map[key]int{} // index of a text in fresh
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
	e.store(asked, encoded)
	return out, nil
}

// store adds encoded texts to the cache.
func (e *Encoder) store(asked map[key]int, encoded encoder.Encoded) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k, at := range asked {
		if e.known[k] == nil { // another call may have added it
			e.known[k] = e.order.PushFront(&entry{k, encoded.Vectors[at], encoded.Cut[at]})
		}
	}
	for e.order.Len() > e.most {
		delete(e.known, e.order.Remove(e.order.Back()).(*entry).key)
	}
}
