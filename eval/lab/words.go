package lab

import (
	"context"
	"fmt"
	"runtime"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

var _ engine.LexicalStore = (*matrix)(nil)

// piecesOf returns the words of a document, as a collection would store them.
func piecesOf(d *sets.Document) []uint16 {
	doc := engine.Document{Title: d.Title, Passages: engine.NewPassages(d.Passages)}
	return words.Pieces(doc.Segments())
}

// Statistics returns the statistics of all documents.
func (m *matrix) Statistics(context.Context) (*words.Statistics, error) { return m.statistics, nil }

// MatchTerms reads all documents, whatever is wanted: an experiment must miss nothing.
func (m *matrix) MatchTerms(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.TopK) (*engine.TermMatches, error) {
	if filter != nil {
		return nil, fmt.Errorf("experiments do not support the predicate %s; leave it out", filter)
	}
	refs := make([]engine.Ref, m.whole.len())
	for i := range refs {
		refs[i] = ref(i)
	}
	columns, err := m.TermScores(ctx, q, refs)
	all := &engine.TermMatches{Refs: refs, Atoms: columns, UnseenBounds: []float32{}}
	if err != nil {
		return nil, err
	}
	return storekit.BestMatches(all, wanted), nil
}

// TermScores reads some documents.
func (m *matrix) TermScores(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	out := make([][]float32, q.Atoms())
	for a := range out {
		out[a] = make([]float32, len(refs))
	}
	const some = 256
	return out, workers.Each(ctx, (len(refs)+some-1)/some, runtime.GOMAXPROCS(0), func(_ context.Context, unit int) error {
		reader, line := q.NewReader(), make([]float32, q.Atoms())
		for i := unit * some; i < min((unit+1)*some, len(refs)); i++ {
			reader.Read(line, m.pieces[refs[i].Number])
			for a, x := range line {
				out[a][i] = x
			}
		}
		return nil
	})
}

// counted computes the word statistics of the corpus.
func (c *Corpus) counted() *words.Statistics {
	s := words.NewStatistics()
	for _, p := range c.pieces {
		s.Add(p)
	}
	return s
}
