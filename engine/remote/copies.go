package remote

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// Versioned is a Comparer whose documents have versions. Their refs have the ids as keys, and
// Read sets the Version of entries. A store keeps copies of such documents in memory: of all,
// if they are at most Limits.Copied, of those that pass a filter, if they are few, and of the
// sample.
type Versioned interface {
	// State returns a text that is another one whenever a document has changed. It is empty if
	// the server cannot tell.
	State(ctx context.Context) (string, error)
	// Versions returns up to limit documents that meet a condition, with their versions.
	Versions(ctx context.Context, where Where, limit int) ([]Hit, error)
}

// Limits of the copies in memory.
const (
	copiedVectors  = 256 << 20 // bytes of the vectors of all documents
	copiedPieces   = 32 << 20  // bytes of the word pieces of all documents
	copiedFiltered = 5000      // documents that pass a filter, of a store that is not copied
	copiedSubsets  = 8         // filters whose documents are kept
)

// copied holds the vectors and the word pieces of documents, in the order of their refs.
type copied struct {
	PieceTable
	vectors []float32 // one row for each of refs
	listed  []Hit     // the documents, with those that have no vector
}

// subset is a copy of the documents that pass a filter.
type subset struct {
	*copied          // nil: they are too many
	lines   []uint32 // those that pass; nil: all
	state   string   // of the server, in which the copy was current
}

type copies struct {
	turn workers.Slots // held while copies are made

	mu      sync.Mutex
	subsets map[string]*subset // by filter; "" are all documents
	sampled []engine.Ref       // the last sample
	sample  *subset
	state   string // at the time
	stateAt time.Time
	most    int // this many documents have too much text; 0: not known
	pieces  versioned[spelled]
}

type spelled struct {
	version, state string
	pieces         []uint16
}

func (s *Store) copyable() Versioned {
	if v, ok := s.driver.(Versioned); ok && s.Limits.Copied > 0 {
		return v
	}
	return nil
}

func (s *Store) mayCopy(documents int) bool {
	s.copies.mu.Lock()
	defer s.copies.mu.Unlock()
	return s.copyable() != nil && documents <= min(s.Limits.Copied, copiedVectors/(4*s.Dimension)) && (s.copies.most == 0 || documents < s.copies.most)
}

// state returns the state of the server at a time after the call began, or after the search
// began that it belongs to. It is empty if the server cannot tell.
func (s *Store) state(ctx context.Context) (string, error) {
	c, since := &s.copies, engine.Since(ctx)
	c.mu.Lock()
	state, at := c.state, c.stateAt
	c.mu.Unlock()
	if at.After(since) {
		return state, nil
	}
	now := time.Now()
	state, err := s.copyable().State(ctx)
	if err == nil {
		c.mu.Lock()
		c.state, c.stateAt = state, now
		c.mu.Unlock()
	}
	return state, err
}

// subset returns a current copy of the documents that pass a filter, or nil if there is none.
func (s *Store) subset(ctx context.Context, filter query.Node, where Where) (out *subset, err error) {
	if s.copyable() == nil || where.Nothing || where.Inexact {
		return nil, nil
	}
	size, err := s.size(ctx)
	whole := s.mayCopy(size.Documents)
	if err != nil || !whole && filter == nil {
		return nil, err
	}
	err = s.copies.turn.Do(ctx, func() (err error) {
		state, err := s.state(ctx)
		if err != nil || state == "" {
			return err
		}
		var all *copied
		if whole {
			if out, err = s.refresh(ctx, "", Where{}, state, s.Limits.Copied); err != nil || filter == nil {
				return err
			}
			if out != nil {
				all = out.copied
			}
		}
		out, err = s.passing(ctx, filter.String(), where, state, all)
		return err
	})
	return out, err
}

// passing returns the documents that pass a filter, from a copy of all or copied for it.
func (s *Store) passing(ctx context.Context, key string, where Where, state string, all *copied) (*subset, error) {
	if all == nil {
		return s.refresh(ctx, key, where, state, copiedFiltered)
	}
	if old := s.copies.get(key); old != nil && old.copied == all {
		return old, nil
	}
	hits, err := s.copyable().Versions(ctx, where, len(all.listed)+1)
	if err != nil {
		return nil, err
	}
	out := &subset{copied: all, lines: make([]uint32, 0, len(hits))}
	for _, h := range hits {
		if line, ok := all.lines[h.Ref]; ok {
			out.lines = append(out.lines, uint32(line))
		}
	}
	slices.Sort(out.lines)
	out.lines = slices.Compact(out.lines)
	s.copies.put(key, out)
	return out, nil
}

// refresh returns the current copy of the documents that meet a condition, or nil if they are
// more than limit or too long.
func (s *Store) refresh(ctx context.Context, key string, where Where, state string, limit int) (*subset, error) {
	old := s.copies.get(key)
	if old == nil || old.state != state {
		hits, err := s.copyable().Versions(ctx, where, limit+1)
		if err != nil {
			return nil, err
		}
		next := &subset{state: state}
		if len(hits) <= limit {
			if next.copied, err = s.load(ctx, old, hits); err != nil {
				return nil, err
			}
		}
		if key == "" && next.copied == nil {
			s.copies.mu.Lock()
			s.copies.most = len(hits)
			s.copies.mu.Unlock()
		}
		old = next
		s.copies.put(key, old)
	}
	if old.copied == nil {
		return nil, nil
	}
	return old, nil
}

func (c *copies) get(key string) *subset {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subsets[key]
}

// put keeps a copy. If there are too many, only that of all documents is kept besides.
func (c *copies) put(key string, s *subset) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subsets) > copiedSubsets || c.subsets == nil {
		all := c.subsets[""]
		if c.subsets = map[string]*subset{}; all != nil {
			c.subsets[""] = all
		}
	}
	c.subsets[key] = s
}

// load copies documents. It reads those that are not in an older copy. It returns nil if the
// texts are too long.
func (s *Store) load(ctx context.Context, from *subset, hits []Hit) (*copied, error) {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(a.Ref.Compare(b.Ref), cmp.Compare(a.Version, b.Version)) })
	hits = slices.CompactFunc(hits, func(a, b Hit) bool { return a.Ref == b.Ref })
	old := &copied{}
	if from != nil && from.copied != nil {
		old = from.copied
	}
	if slices.Equal(hits, old.listed) && old.listed != nil {
		return old, nil
	}
	known := make(map[Hit]bool, len(old.listed))
	for _, h := range old.listed {
		known[h] = true
	}
	var missing []engine.Ref
	for _, h := range hits {
		if !known[h] {
			missing = append(missing, h.Ref)
		}
	}
	type read struct {
		vector []float32
		pieces []uint16
	}
	fresh, bytes := map[engine.Ref]read{}, 0
	for len(missing) > 0 {
		docs, err := s.documents(ctx, new(storekit.ReadBudget), missing, engine.Titles|engine.Texts|engine.Vectors, nil)
		if err != nil {
			return nil, err
		}
		pieces, err := Spell(ctx, docs)
		if err != nil {
			return nil, err
		}
		for i := range docs {
			fresh[missing[i]] = read{docs[i].Vector, pieces[i]}
			bytes += 2 * len(pieces[i])
		}
		if missing = missing[len(docs):]; bytes > copiedPieces {
			return nil, nil
		}
	}
	out := &copied{listed: hits, vectors: make([]float32, 0, s.Dimension*len(hits))}
	for _, h := range hits {
		r, ok := fresh[h.Ref]
		if line, was := old.lines[h.Ref]; !ok && was {
			r = read{old.row(line, s.Dimension), old.pieces[line]}
		}
		if len(r.vector) == s.Dimension {
			out.Add(h.Ref, r.pieces)
			out.vectors = append(out.vectors, r.vector...)
		}
	}
	return out, nil
}

func (c *copied) row(line, dim int) []float32 { return c.vectors[line*dim : (line+1)*dim] }

// holding returns a current copy of these documents, or nil if there is none. In a copy of all
// documents, those that are deleted are missing.
func (s *Store) holding(ctx context.Context, refs []engine.Ref) (*copied, error) {
	if s.copyable() == nil {
		return nil, nil
	}
	all, err := s.subset(ctx, nil, Where{})
	if err != nil {
		return nil, err
	}
	if all != nil {
		return all.copied, nil
	}
	c := &s.copies
	c.mu.Lock()
	sampled := len(refs) > 0 && slices.Equal(refs, c.sampled)
	c.mu.Unlock()
	state, err := s.state(ctx)
	if err != nil || state == "" {
		return nil, err
	}
	if sampled {
		return s.copySample(ctx, state, refs)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sub := range c.subsets {
		if sub.state == state && sub.copied != nil && !slices.ContainsFunc(refs, func(r engine.Ref) bool { _, ok := sub.PieceTable.lines[r]; return !ok }) {
			return sub.copied, nil
		}
	}
	return nil, nil
}

func (s *Store) copySample(ctx context.Context, state string, refs []engine.Ref) (*copied, error) {
	c := &s.copies
	c.mu.Lock()
	old := c.sample
	c.mu.Unlock()
	if old != nil && old.state == state {
		return old.copied, nil
	}
	var hits []Hit
	err := s.visit(ctx, refs, Want{}, func(e *Entry) error {
		hits = append(hits, Hit{Ref: e.Ref, Version: e.Version})
		return nil
	})
	if err != nil {
		return nil, err
	}
	next := &subset{state: state}
	if next.copied, err = s.load(ctx, old, hits); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.sample = next
	c.mu.Unlock()
	return next.copied, nil
}

func (c *copied) columns(vectors [][]float32, lines []uint32) ([][]float32, error) {
	n := len(c.refs)
	if lines != nil {
		n = len(lines)
	}
	out := make([][]float32, len(vectors))
	for j := range out {
		out[j] = make([]float32, n)
	}
	for at := 0; at < len(vectors); at += vec.MaxQueries {
		end := min(at+vec.MaxQueries, len(vectors))
		q, err := vec.Pack(vectors[at:end]...)
		if err != nil {
			return nil, err
		}
		if lines != nil {
			q.Gather(out[at:end], c.vectors, lines)
		} else {
			q.Dots(out[at:end], c.vectors)
		}
	}
	return out, nil
}

func (s *subset) line(i int) int {
	if s.lines != nil {
		return int(s.lines[i])
	}
	return i
}

// pool answers a search. It keeps the k best documents of each list or, if k is 0, all.
func (s *subset) pool(q *Search) (*engine.Columns, error) {
	columns, err := s.columns(q.Vectors, s.lines)
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(columns[0]))
	out := &engine.Columns{Similarities: make([][]float32, len(q.Wanted))}
	for _, v := range q.Near {
		top := vec.NewTopK(min(q.K, len(keep)))
		top.Push(0, columns[v])
		best, values := top.Ranked()
		for _, i := range best {
			keep[i] = true
		}
		beyond := float32(-2)
		if len(best) == q.K {
			beyond = values[len(values)-1]
		}
		out.UnseenBounds = append(out.UnseenBounds, beyond)
	}
	for i := range keep {
		if keep[i] || q.K == 0 {
			out.Refs = append(out.Refs, s.refs[s.line(i)])
			for j, v := range q.Wanted {
				out.Similarities[j] = append(out.Similarities[j], columns[v][i])
			}
		}
	}
	return out, nil
}

func (c *copied) compare(q *Search, refs []engine.Ref) (*engine.Columns, error) {
	out := &engine.Columns{}
	lines := make([]uint32, 0, len(refs))
	for _, r := range refs {
		if line, ok := c.PieceTable.lines[r]; ok {
			lines, out.Refs = append(lines, uint32(line)), append(out.Refs, r)
		}
	}
	columns, err := c.columns(q.Vectors, lines)
	for _, v := range q.Wanted {
		out.Similarities = append(out.Similarities, columns[v])
	}
	return out, err
}

// rare is the number of documents up to which a word selects candidates, as in the embedded
// collection.
const rare = 20_000

func (s *subset) matchTerms(q *words.Query, wanted []engine.TopK) *engine.TermMatches {
	thorough := slices.ContainsFunc(wanted, func(w engine.TopK) bool { return w.Thorough })
	var marks []uint16
	var looked []words.Needle
	for _, n := range q.Needles() {
		if n.Documents(len(s.refs)) <= rare && len(marks)+len(n.Marks) <= vec.FindMax {
			marks, looked = append(marks, n.Marks...), append(looked, n)
		}
	}
	var found PieceTable
	n := len(s.refs)
	if s.lines != nil {
		n = len(s.lines)
	}
	for i := range n {
		line := s.line(i)
		if p := s.pieces[line]; thorough || len(marks) > 0 && vec.Find(p, marks) < len(p) {
			found.Add(s.refs[line], p)
		}
	}
	out := found.Matches(q, wanted)
	if out.UnseenBounds = []float32{}; !thorough {
		out.UnseenBounds = q.UnseenBounds(looked)
	}
	return out
}

// documents returns the ids and vectors of documents, up to a portion.
func (c *copied) documents(refs []engine.Ref, dim int) []engine.Document {
	docs := make([]engine.Document, 0, len(refs))
	var portion storekit.ReadBudget
	for _, r := range refs {
		var d engine.Document
		if line, ok := c.lines[r]; ok {
			d = engine.Document{ID: r.Key, Vector: slices.Clone(c.row(line, dim))}
		}
		if docs = append(docs, d); portion.Add(d) {
			break
		}
	}
	return docs
}
