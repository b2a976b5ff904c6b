package retrieve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/vec"
	"github.com/nsfl-go/nsfl/words"
)

// memory is what a searcher has learned of its encoder and its store.
type memory struct {
	sync.Mutex
	shared []float32 // the mean of profile.Bank
	sample *sample
	// statistics are of words, when there were so many documents.
	statistics *words.Statistics
	counted    int
	// fields are those of a sample, when there were so many documents.
	fields    *known
	described int
}

// sample are documents that stand for all.
type sample struct {
	refs      []engine.Ref
	centre    []float32 // the mean of their vectors; nil where there are none
	documents int       // in the store when the sample was taken
}

// sampled is how many documents a sample has.
const sampled = 1000

// sample is taken again when the store has grown or shrunk by a tenth.
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
	m.centre = profile.Mean(there)
	s.memory.sample = m
	return m, nil
}

// vectors are those of documents as wholes, at length 1; nil where one was deleted
// meanwhile.
func (s *Searcher) vectors(ctx context.Context, refs []engine.Ref) ([][]float32, error) {
	out := make([][]float32, len(refs))
	err := engine.Visit(ctx, s.Store, refs, engine.Vectors, func(i int, d *engine.Document) {
		if vec.Normalize(d.Vector) == nil {
			out[i] = d.Vector
		}
	})
	return out, err
}

// common is the mean of the vectors of common words.
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
