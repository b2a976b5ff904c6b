package remote

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// SampleSize is the number of documents that statistics are computed from. Their pieces travel,
// and the weight of a rare word hardly depends on more.
const SampleSize = 1000

// MatchLimit returns how many documents that match a query are read: more than a pool has, so
// documents with all of the words are among them.
func MatchLimit(wanted []engine.TopK) int {
	most := 3000
	for _, w := range wanted {
		most = max(most, 2*w.K)
	}
	return min(most, 10_000)
}

// PieceTable collects the pieces of documents, in the order in which they come.
type PieceTable struct {
	refs   []engine.Ref
	pieces [][]uint16
	lines  map[engine.Ref]int // the positions in refs
}

// Add adds a document once: pages that are read during a write may repeat one.
func (h *PieceTable) Add(ref engine.Ref, pieces []uint16) {
	if _, ok := h.lines[ref]; ok {
		return
	}
	if h.lines == nil {
		h.lines = map[engine.Ref]int{}
	}
	h.lines[ref] = len(h.refs)
	h.refs, h.pieces = append(h.refs, ref), append(h.pieces, pieces)
}

// Statistics returns the term statistics of the documents.
func (h *PieceTable) Statistics() *words.Statistics {
	s := words.NewStatistics()
	for _, p := range h.pieces {
		s.Add(p)
	}
	return s
}

// Matches scores the documents for each atom and returns the wanted ones.
func (h *PieceTable) Matches(q *words.Query, wanted []engine.TopK) *engine.TermMatches {
	return storekit.BestMatches(&engine.TermMatches{Refs: h.refs, Atoms: h.ScoresOf(q, h.refs)}, wanted)
}

// ScoresOf scores the documents of refs, in this order. A missing document scores 0.
func (h *PieceTable) ScoresOf(q *words.Query, refs []engine.Ref) [][]float32 {
	out := make([][]float32, q.Atoms())
	for a := range out {
		out[a] = make([]float32, len(refs))
	}
	reader, line := q.NewReader(), make([]float32, q.Atoms())
	for i, r := range refs {
		at, ok := h.lines[r]
		if !ok {
			continue
		}
		reader.Read(line, h.pieces[at])
		for a, x := range line {
			out[a][i] = x
		}
	}
	return out
}

// Forms returns the words of needles, in all ways to write them, as a query for BM25.
func Forms(needles []words.Needle) string {
	var forms []string
	for _, n := range needles {
		forms = append(forms, n.Written...)
	}
	return strings.Join(forms, " ")
}

// lexical scores documents by their words: by the pieces that the server keeps of them, or by
// their texts, which are cut into pieces when they are needed.
type lexical struct{ *Store }

// mostTexts limits the texts that are read for one search: they are sent here and split.
const mostTexts = 1000

func (l lexical) Statistics(ctx context.Context) (*words.Statistics, error) {
	var h *PieceTable
	_, err := l.partial(ctx, "counting words", func(ctx context.Context) error {
		all, err := l.subset(ctx, nil, Where{})
		if err != nil {
			return err
		}
		if all != nil {
			h = &all.PieceTable
			return nil
		}
		refs, err := l.sample(ctx, SampleSize)
		if err == nil {
			h, err = l.pieces(ctx, refs)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// MatchTerms scores the documents that the server finds by words. If the server has found all
// that have one of the words, the scores of other documents are bounded, to the recall of its
// index.
func (l lexical) MatchTerms(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.TopK) (*engine.TermMatches, error) {
	const doing = "looking for words"
	if err := CheckFilter(filter); err != nil {
		return nil, l.Calls.Explain(doing, err)
	}
	var matches *engine.TermMatches
	degraded, err := l.partial(ctx, doing, func(ctx context.Context) error {
		filter, err := l.Resolved(ctx, filter)
		if err != nil {
			return err
		}
		where, err := l.compile(ctx, filter)
		if err != nil {
			return err
		}
		copies, err := l.subset(ctx, filter, where)
		if err != nil {
			return err
		}
		if copies != nil {
			matches = copies.matchTerms(q, wanted)
			return nil
		}
		refs, complete, err := l.matching(ctx, q, filter, where, wanted)
		if err != nil {
			return err
		}
		h, err := l.pieces(ctx, refs)
		if err != nil {
			return err
		}
		if matches = h.Matches(q, wanted); complete {
			matches.UnseenBounds = q.UnseenBounds(q.Needles())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	matches.Degraded = degraded
	return matches, nil
}

// matching returns documents that pass a filter and have words of a query, and whether no
// other document has one.
func (l lexical) matching(ctx context.Context, q *words.Query, filter query.Node, where Where, wanted []engine.TopK) (refs []engine.Ref, complete bool, err error) {
	if where.Nothing {
		return nil, true, ctx.Err()
	}
	_, kept := l.driver.(Pieces)
	search, finds := l.driver.(FullText)
	limit := mostTexts
	if kept {
		limit = MatchLimit(wanted)
	}
	needles := q.Needles()
	if !finds || len(needles) == 0 {
		return nil, false, ctx.Err()
	}
	if refs, err = search.Matching(ctx, needles, limit, where); err != nil {
		return nil, false, err
	}
	complete = kept && len(refs) < limit
	if where.judged(filter) == nil {
		return refs, complete, nil
	}
	judge, err := NewJudge(filter)
	if err != nil {
		return nil, false, err
	}
	passing := map[engine.Ref]bool{}
	err = l.visit(ctx, refs, Want{Filter: filter}, func(e *Entry) (err error) {
		passing[e.Ref], err = judge.Passes(&e.Document)
		return err
	})
	return slices.DeleteFunc(refs, func(r engine.Ref) bool { return !passing[r] }), complete, err
}

func (l lexical) TermScores(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	var h *PieceTable
	_, err := l.partial(ctx, "reading words", func(ctx context.Context) (err error) {
		h, err = l.pieces(ctx, refs)
		return err
	})
	if err != nil {
		return nil, err
	}
	return h.ScoresOf(q, refs), nil
}

func (l lexical) pieces(ctx context.Context, refs []engine.Ref) (*PieceTable, error) {
	h := &PieceTable{}
	if d, ok := l.driver.(Pieces); ok {
		if len(refs) == 0 {
			return h, ctx.Err()
		}
		var turn sync.Mutex
		return h, inPieces(ctx, refs, cmp.Or(l.AtOnce, len(refs)), func(ctx context.Context, refs []engine.Ref) error {
			return d.ReadPieces(ctx, refs, func(ref engine.Ref, pieces []uint16) error {
				turn.Lock()
				defer turn.Unlock()
				h.Add(ref, pieces)
				return nil
			})
		})
	}
	if copies, err := l.holding(ctx, refs); err != nil {
		return nil, err
	} else if copies != nil {
		return &copies.PieceTable, nil
	}
	refs, state, err := l.cached(ctx, h, refs)
	if err != nil {
		return nil, err
	}
	const some = 256
	for some := range slices.Chunk(refs, some) {
		for len(some) > 0 {
			versions := map[engine.Ref]string{}
			docs, err := l.documents(ctx, new(storekit.ReadBudget), some, engine.Titles|engine.Texts, versions)
			if err != nil {
				return nil, err
			}
			pieces, err := Spell(ctx, docs)
			if err != nil {
				return nil, err
			}
			for i := range docs {
				if docs[i].ID != "" {
					h.Add(some[i], pieces[i])
				}
				if state != "" && docs[i].ID != "" {
					l.copies.pieces.put(some[i], spelled{versions[some[i]], state, pieces[i]}, 2*len(pieces[i]))
				}
			}
			some = some[len(docs):]
		}
	}
	return h, nil
}

// cached adds the documents whose pieces are cached and current, and returns the others and
// the state of the server, if it has one.
func (l lexical) cached(ctx context.Context, h *PieceTable, refs []engine.Ref) (unread []engine.Ref, state string, err error) {
	if l.copyable() == nil {
		return refs, "", nil
	}
	if state, err = l.state(ctx); err != nil || state == "" {
		return refs, "", err
	}
	var stale []engine.Ref
	for _, r := range refs {
		switch kept, ok := l.copies.pieces.get(r); {
		case !ok:
			unread = append(unread, r)
		case kept.state == state:
			h.Add(r, kept.pieces)
		default:
			stale = append(stale, r)
		}
	}
	if len(stale) == 0 {
		return unread, state, nil
	}
	current := map[engine.Ref]bool{}
	err = l.visit(ctx, stale, Want{}, func(e *Entry) error {
		if kept, ok := l.copies.pieces.get(e.Ref); ok && kept.version == e.Version {
			current[e.Ref], kept.state = true, state
			l.copies.pieces.put(e.Ref, kept, 2*len(kept.pieces))
			h.Add(e.Ref, kept.pieces)
		}
		return nil
	})
	return append(unread, slices.DeleteFunc(stale, func(r engine.Ref) bool { return current[r] })...), state, err
}
