package lab

import (
	"context"
	"fmt"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/retrieve"
)

// texts is the encoder of a corpus for the strings of queries. It encodes each
// string once.
type texts struct {
	corpus *Corpus
	mu     sync.Mutex
	known  map[string][]float32
}

var _ encoder.Encoder = (*texts)(nil)

func (t *texts) Identity() encoder.Identity {
	return encoder.Identity{Name: t.corpus.Encoder, Dimension: t.corpus.dim}
}

func (t *texts) Encode(ctx context.Context, _ encoder.Role, strings []string) (encoder.Encoded, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var fresh []string
	for _, s := range strings {
		if t.known[s] == nil {
			fresh = append(fresh, s)
		}
	}
	if len(fresh) > 0 {
		vectors, err := t.corpus.encode(ctx, fresh)
		if err != nil {
			return encoder.Encoded{}, err
		}
		for i, s := range fresh {
			t.known[s] = vectors[i]
		}
	}
	out := encoder.Encoded{Cut: make([]bool, len(strings))}
	for _, s := range strings {
		out.Vectors = append(out.Vectors, t.known[s])
	}
	return out, nil
}

// refined ranks by a profile, which may choose another fusion and other operators
// for each kind of formula.
func (r *runner) refined(ctx context.Context, s *retrieve.Searcher, e *retrieve.Encoded, o retrieve.Options) (*retrieve.Candidates, *retrieve.Ranking, error) {
	p, err := s.Prepare(ctx, e.Formula, o)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.Find(ctx, p.Encoded, p.Options)
	if err != nil {
		return nil, nil, err
	}
	ranking, err := found.Rank(p.Options.Logic, o.K)
	return found, ranking, err
}

// searcher is for all queries of one way to compare documents.
func (r *runner) searcher(m *matrix) *retrieve.Searcher {
	if r.texts == nil {
		r.texts = &texts{corpus: r.corpus, known: map[string][]float32{}}
	}
	return &retrieve.Searcher{Store: m, Encoder: r.texts}
}

var _ engine.Sampler = (*matrix)(nil)

// Vectors are those of documents as wholes.
func (m *matrix) Vectors(_ context.Context, refs []engine.Ref) ([][]float32, error) {
	out := make([][]float32, len(refs))
	for i, ref := range refs {
		if int(ref) >= len(m.wholes) {
			return nil, fmt.Errorf("there is no document %d in the corpus", ref)
		}
		out[i] = m.wholes[ref]
	}
	return out, nil
}

// Sample takes documents at even distances.
func (m *matrix) Sample(_ context.Context, n int) ([]engine.Ref, error) {
	n = min(n, len(m.wholes))
	out := make([]engine.Ref, n)
	for i := range out {
		out[i] = engine.Ref(i * len(m.wholes) / n)
	}
	return out, nil
}

// Compare looks documents up among all.
func (m *matrix) Compare(_ context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	all, err := m.columns(vectors)
	if err != nil {
		return nil, err
	}
	out := &engine.Columns{Refs: refs, Similarities: make([][]float32, len(vectors))}
	for j, column := range all {
		for _, ref := range refs {
			out.Similarities[j] = append(out.Similarities[j], column[ref])
		}
	}
	return out, nil
}
