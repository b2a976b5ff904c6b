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
)

// memory is what a searcher has learned of its encoder and its store.
type memory struct {
	sync.Mutex
	shared []float32 // the mean of profile.Bank
	sample *sample
}

// sample are documents that stand for all.
type sample struct {
	refs      []engine.Ref // nil where the store cannot compare single documents
	vectors   [][]float32  // of documents as wholes
	centre    []float32    // the mean of those
	documents int          // in the store when the sample was taken
}

// sampled is how many documents a sample has.
const sampled = 1000

// sample is looked up again when the store has grown or shrunk by a tenth.
func (s *Searcher) sample(ctx context.Context) (*sample, error) {
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.Lock()
	defer s.memory.Unlock()
	if m := s.memory.sample; m != nil && 10*max(m.documents-size.Documents, size.Documents-m.documents) <= m.documents {
		return m, nil
	}
	m, err := takeSample(ctx, s.Store)
	if err != nil {
		return nil, fmt.Errorf("sampling documents: %w", err)
	}
	m.centre, m.documents = profile.Mean(m.vectors), size.Documents
	s.memory.sample = m
	return m, nil
}

func takeSample(ctx context.Context, store engine.Store) (*sample, error) {
	m := &sample{}
	switch store := store.(type) {
	case engine.Sampler:
		refs, err := store.Sample(ctx, sampled)
		if err != nil {
			return nil, err
		}
		vectors, err := store.Vectors(ctx, refs)
		if err != nil {
			return nil, err
		}
		for i, v := range vectors {
			if v != nil {
				m.refs, m.vectors = append(m.refs, refs[i]), append(m.vectors, v)
			}
		}
	case engine.Collection:
		docs, _, err := store.List(ctx, "", sampled)
		if err != nil {
			return nil, err
		}
		for i := range docs {
			if v := unit(docs[i].Vector); v != nil {
				m.vectors = append(m.vectors, v)
			}
		}
	}
	return m, nil
}

// compare compares the sample with vectors: as the store compares documents, or,
// where it cannot, by their vectors as wholes.
func (m *sample) compare(ctx context.Context, store engine.Store, vectors [][]float32) ([][]float32, error) {
	if sampler, ok := store.(engine.Sampler); ok {
		c, err := sampler.Compare(ctx, m.refs, vectors)
		if err != nil {
			return nil, err
		}
		return c.Similarities, nil
	}
	out := make([][]float32, len(vectors))
	for j, q := range vectors {
		out[j] = make([]float32, len(m.vectors))
		for i, d := range m.vectors {
			out[j][i] = float32(vec.Dot64(q, d))
		}
	}
	return out, nil
}

// vectors are those of documents; nil where one was deleted meanwhile.
func (s *Searcher) vectors(ctx context.Context, refs []engine.Ref) ([][]float32, error) {
	if sampler, ok := s.Store.(engine.Sampler); ok {
		return sampler.Vectors(ctx, refs)
	}
	docs, err := s.Store.Documents(ctx, refs)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(docs))
	for i := range docs {
		if docs[i].ID != "" {
			out[i] = unit(docs[i].Vector)
		}
	}
	return out, nil
}

// unit is a copy of a vector at length 1, or nil where it has none.
func unit(v []float32) []float32 {
	out := append([]float32(nil), v...)
	if vec.Normalize(out) != nil {
		return nil
	}
	return out
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
