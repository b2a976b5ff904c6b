package remote

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/words"
)

// Counted is how many documents statistics are made of. Their pieces go over a network,
// and whether a word is in one document of a thousand or in fewer changes its weight
// little.
const Counted = 1000

// Looked is how many documents are read that have words of a query, those with the
// heaviest first: more than a pool has as a rule, so that what has all of the words is
// among them and soft words decide the rest.
func Looked(wanted []engine.Wanted) int {
	most := 3000
	for _, w := range wanted {
		most = max(most, 2*w.K)
	}
	return min(most, 10_000)
}

// Heard are the pieces of some documents, in the order in which they came. The zero value
// has none.
type Heard struct {
	refs   []engine.Ref
	pieces [][]uint16
	lines  map[engine.Ref]int // where they are in refs
}

// Add adds a document, once: a list that is read page by page may have one twice where
// something is written meanwhile.
func (h *Heard) Add(ref engine.Ref, pieces []uint16) {
	if _, ok := h.lines[ref]; ok {
		return
	}
	if h.lines == nil {
		h.lines = map[engine.Ref]int{}
	}
	h.lines[ref] = len(h.refs)
	h.refs, h.pieces = append(h.refs, ref), append(h.pieces, pieces)
}

// Statistics are those of the documents.
func (h *Heard) Statistics() *words.Statistics {
	s := words.NewStatistics()
	for _, p := range h.pieces {
		s.Add(p)
	}
	return s
}

// Shares are how much of each atom's words the documents have: of those that are wanted
// or, where nothing is, of all.
func (h *Heard) Shares(q *words.Query, wanted []engine.Wanted) *engine.Shares {
	out := &engine.Shares{Refs: h.refs, Atoms: h.SharesOf(q, h.refs)}
	if wanted == nil {
		return out
	}
	return engine.BestShares(out, wanted)
}

// Found are the shares of documents that were found by the words of a query, in a list that
// may have been so long: a shorter one has all that have them.
func (h *Heard) Found(q *words.Query, wanted []engine.Wanted, limit int) *engine.Shares {
	out := h.Shares(q, wanted)
	if len(h.refs) < limit {
		out.Unheard = q.Unheard(q.Needles())
	}
	return out
}

// SharesOf are those of the documents that refs name, in their order. What is not there
// has nothing.
func (h *Heard) SharesOf(q *words.Query, refs []engine.Ref) [][]float32 {
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
