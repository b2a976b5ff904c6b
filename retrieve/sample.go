package retrieve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// memory caches data about the encoder and the store.
type memory struct {
	sync.Mutex
	shared []float32 // the mean of profile.Bank
	sample *sample
	// statistics holds term statistics; counted is the store's size when they were taken.
	statistics *words.Statistics
	counted    int
	// fields holds field names from a sample; described is the store's size at the time.
	fields    *known
	described int
	// kinds holds the values that name a kind of documents; kindsAt is the store's size at the time.
	kinds   map[string]*query.Predicate
	kindsAt int
}

// sample is a set of documents that represents the whole store.
type sample struct {
	refs      []engine.Ref
	centre    []float32 // mean of their vectors; nil if there are none
	spread    float64   // standard deviation of the cosine of two of them; 0 if unknown
	documents int       // size of the store when the sample was taken
}

// sampled is the number of documents in a sample.
const sampled = 1000

// sample returns a cached sample. It takes a new one once the store's size has changed by more
// than a tenth.
func (s *Searcher) sample(ctx context.Context) (*sample, error) {
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.Lock()
	defer s.memory.Unlock()
	if m := s.memory.sample; m != nil && !grown(m.documents, size.Documents) {
		return m, nil
	}
	m := &sample{documents: size.Documents}
	if m.refs, err = s.Store.Sample(ctx, sampled); err != nil {
		return nil, fmt.Errorf("sampling documents: %w", err)
	}
	vectors, err := s.vectors(ctx, m.refs)
	if err != nil {
		return nil, fmt.Errorf("sampling documents: %w", err)
	}
	var there [][]float32
	for _, v := range vectors {
		if v != nil {
			there = append(there, v)
		}
	}
	m.centre, m.spread = profile.Mean(there), spread(there)
	s.memory.sample = m
	return m, nil
}

// spread returns the standard deviation of the cosine between two documents, from evenly spaced
// pairs. It returns 0 for fewer than leastKnown documents.
func spread(vectors [][]float32) float64 {
	if len(vectors) < leastKnown {
		return 0
	}
	var cosines []float64
	for i, v := range vectors {
		for j := 1; j < leastKnown/2; j += 2 {
			cosines = append(cosines, vec.Dot64(v, vectors[(i+j*len(vectors)/leastKnown)%len(vectors)]))
		}
	}
	var sum, squares float64
	for _, c := range cosines {
		sum += c
		squares += c * c
	}
	n := float64(len(cosines))
	return math.Sqrt(max(0, squares/n-sum*sum/(n*n)))
}

// wordsScale returns the factor by which the encoder's cosines on this collection vary more
// than those that the profile's weight of words was chosen for.
func (s *Searcher) wordsScale(ctx context.Context, p *profile.Profile) (float64, error) {
	if p.Spread == 0 {
		return 1, nil
	}
	m, err := s.sample(ctx)
	if err != nil || m.spread == 0 {
		return 1, err
	}
	return m.spread / p.Spread, nil
}

// vectors returns the document vectors at length 1, with nil for documents deleted during the
// search.
func (s *Searcher) vectors(ctx context.Context, refs []engine.Ref) ([][]float32, error) {
	out := make([][]float32, len(refs))
	err := engine.Visit(ctx, s.Store, refs, engine.Vectors, func(i int, d *engine.Document) {
		if vec.Normalize(d.Vector) == nil {
			out[i] = d.Vector
		}
	})
	return out, err
}

// common returns the mean vector of common words.
func (m *memory) common(ctx context.Context, e encoder.Encoder) ([]float32, error) {
	m.Lock()
	defer m.Unlock()
	if m.shared != nil {
		return m.shared, nil
	}
	if e == nil {
		return nil, errors.New("there is no encoder")
	}
	words, err := e.Encode(ctx, encoder.Query, profile.Bank)
	if err != nil {
		return nil, err
	}
	m.shared = profile.Mean(words.Vectors)
	return m.shared, nil
}
