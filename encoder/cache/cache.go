// Package cache keeps the vectors of an encoder, in memory or in a file. A cache is itself an
// encoder: it has the identity of the encoder it wraps, returns the same vectors bit for bit,
// and calls that encoder only for texts whose vectors it does not have.
//
// The package knows about texts and vectors, but not about formulas, documents or collections.
package cache

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
)

// Encoder is an encoder with a cache. It is safe for concurrent use.
type Encoder struct {
	encoder.Encoder

	mu    sync.Mutex
	store store
}

// store holds vectors by key.
type store interface {
	// get returns the entry of a key, whose vector the caller may modify.
	get(key) (entry, bool)
	// put stores an entry. It may evict others.
	put(entry)
	close() error
}

type key [sha256.Size]byte

// entry is a vector with its key.
type entry struct {
	key    key
	vector []float32
	cut    bool
}

// New returns an encoder that caches up to the given number of bytes of vectors in memory and
// evicts the least recently used.
func New(inner encoder.Encoder, bytes int) *Encoder {
	return &Encoder{Encoder: inner, store: &memory{
		most: max(1, bytes/(4*inner.Identity().Dimension)), known: map[key]*list.Element{}, order: list.New(),
	}}
}

// Unwrap returns the wrapped encoder.
func (e *Encoder) Unwrap() encoder.Encoder { return e.Encoder }

// Close closes the cache's file, if any. The wrapped encoder stays open.
func (e *Encoder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.store.close()
}

// Encode encodes texts that are not in the cache, each once.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	keys := make([]key, len(texts))
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	var fresh []string
	asked := map[key]int{} // index of a text in fresh
	e.mu.Lock()
	for i, text := range texts {
		keys[i] = sha256.Sum256([]byte(role.String() + "\x00" + text))
		if known, ok := e.store.get(keys[i]); ok {
			out.Vectors[i], out.Cut[i] = known.vector, known.cut
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
	e.mu.Lock()
	defer e.mu.Unlock()
	for k, at := range asked {
		e.store.put(entry{k, encoded.Vectors[at], encoded.Cut[at]})
	}
	return out, nil
}

// memory is a store in memory.
type memory struct {
	most  int // entries
	known map[key]*list.Element
	order *list.List // of entries, most recently used first
}

func (m *memory) get(k key) (entry, bool) {
	at, ok := m.known[k]
	if !ok {
		return entry{}, false
	}
	m.order.MoveToFront(at)
	found := at.Value.(entry)
	found.vector = slices.Clone(found.vector)
	return found, true
}

func (m *memory) put(e entry) {
	if m.known[e.key] == nil { // another call may have added it
		m.known[e.key] = m.order.PushFront(e)
	}
	for m.order.Len() > m.most {
		delete(m.known, m.order.Remove(m.order.Back()).(entry).key)
	}
}

func (m *memory) close() error { return nil }
