package remote

import (
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/words"
)

// Counted is the number of documents that statistics are computed from. Their pieces travel,
// and the weight of a rare word hardly depends on more.
const Counted = 1000

// Looked returns how many documents that match a query are read: more than a pool has, so
// documents with all of the words are among them.
func Looked(wanted []engine.Wanted) int {
	most := 3000
	for _, w := range wanted {
		most = max(most, 2*w.K)
	}
	return min(most, 10_000)
}

// Heard collects the pieces of documents, in the order in which they come.
type Heard struct {
	refs   []engine.Ref
	pieces [][]uint16
	lines  map[engine.Ref]int // the positions in refs
}

// Add adds a document once: pages that are read during a write may repeat one.
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

// Statistics returns the term statistics of the documents.
func (h *Heard) Statistics() *words.Statistics {
	s := words.NewStatistics()
	for _, p := range h.pieces {
		s.Add(p)
	}
	return s
}

// Shares scores the documents for each atom and returns the wanted ones or, if wanted is
// nil, all of them.
func (h *Heard) Shares(q *words.Query, wanted []engine.Wanted) *engine.Shares {
	out := &engine.Shares{Refs: h.refs, Atoms: h.SharesOf(q, h.refs)}
	if wanted == nil {
		return out
	}
	return engine.BestShares(out, wanted)
}

// Found scores documents that a search by words has found. A list shorter than limit has
// all documents that match.
func (h *Heard) Found(q *words.Query, wanted []engine.Wanted, limit int) *engine.Shares {
	out := h.Shares(q, wanted)
	if len(h.refs) < limit {
		out.Unheard = q.Unheard(q.Needles())
	}
	return out
}

// SharesOf scores the documents of refs, in this order. A missing document scores 0.
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

// Forms returns the words of needles, in all ways to write them, as a query for BM25.
func Forms(needles []words.Needle) string {
	var forms []string
	for _, n := range needles {
		forms = append(forms, n.Written...)
	}
	return strings.Join(forms, " ")
}
