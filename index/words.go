package index

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

var _ engine.LexicalStore = (*Collection)(nil)

// counted is the number of documents that statistics are computed from: enough to
// distinguish rare words from common ones, few enough to read in a few milliseconds.
const counted = 1 << 16

// Statistics samples documents at even intervals.
func (c *Collection) Statistics(ctx context.Context) (*words.Statistics, error) {
	out := words.NewStatistics()
	err := c.searchingWords(ctx, nil, func(s *search) error {
		s.evenly(counted, func(slot int) { out.Add(s.pieces(slot)) })
		return nil
	})
	return out, err
}

// searchingWords runs f on the documents that pass a filter, in a collection with word pieces.
func (c *Collection) searchingWords(ctx context.Context, filter query.Node, f func(*search) error) error {
	return c.call("looking for words", func() error {
		return c.selecting(ctx, filter, func(s *search) error {
			s.passAll()
			return f(s)
		})
	})
}

// MatchTerms reads the pieces of all passing documents if a thorough search is wanted,
// otherwise only those that contain one of the query's rare words. There is no inverted
// index: scanning all pieces for a few numbers costs less than reading the codes, which a
// search does in any case. PERFORMANCE.md has the comparison.
func (c *Collection) MatchTerms(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.TopK) (*engine.TermMatches, error) {
	out := &engine.TermMatches{}
	err := c.searchingWords(ctx, filter, func(s *search) (err error) {
		slots, err := s.bestByWords(ctx, q, wanted, out)
		if err != nil {
			return err
		}
		out.Refs = make([]engine.Ref, len(slots))
		s.refs(out.Refs, slots)
		out.Atoms, err = s.shares(ctx, q, slots)
		return err
	})
	return out, err
}

// TermScores reads the pieces of the given documents.
func (c *Collection) TermScores(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	var out [][]float32
	err := c.searchingWords(ctx, nil, func(s *search) (err error) {
		slots := make([]uint32, len(refs))
		for i, r := range refs {
			slots[i] = noSlot
			if slot, ok := s.find(ordinalOf(r)); ok {
				slots[i] = uint32(slot)
			}
		}
		out, err = s.shares(ctx, q, slots)
		return err
	})
	return out, err
}

// noSlot stands for a document that no longer exists. No collection has that many slots,
// since each slot has a row.
const noSlot = maxRows

// shares returns the columns of slots.
func (s *search) shares(ctx context.Context, q *words.Query, slots []uint32) ([][]float32, error) {
	out := newColumns(q.Atoms(), len(slots)).Similarities
	const size = 128
	return out, s.readingPieces(ctx, q, (len(slots)+size-1)/size, func(_, unit int, b *pieceReader) {
		lo, hi := unit*size, min((unit+1)*size, len(slots))
		b.score(s, slots[lo:hi])
		for a, column := range b.columns {
			copy(out[a][lo:hi], column)
		}
	})
}

// rare is the largest number of documents that may contain a word for it to select
// candidates. For more frequent words, vectors find equally good candidates.
const rare = 20_000

// marks returns the pieces that select candidates: those of rare words, heaviest first.
func (s *search) marks(q *words.Query) (out []uint16, looked []words.Needle) {
	for _, n := range q.Needles() {
		if n.Documents(s.live()) <= rare && len(out)+len(n.Marks) <= vec.FindMax {
			out, looked = append(out, n.Marks...), append(looked, n)
		}
	}
	return out, looked
}

// having appends the passing slots of a unit that contain one of the pieces. Pieces of
// adjacent documents are contiguous, so a unit is scanned as one slice.
func (s *search) having(slots []uint32, unit int, marks []uint16) []uint32 {
	lo, hi := s.bounds(unit)
	at, _ := pieceSpan(s.bytes(lo))
	last, n := pieceSpan(s.bytes(hi - 1))
	end := last + uint64(n)
	for slot := lo; at < end; slot++ {
		at += uint64(vec.Find(s.words[at:end], marks))
		if at == end {
			break
		}
		var next uint64
		for ; ; slot++ { // advance to the document that contains it
			first, n := pieceSpan(s.bytes(slot))
			if next = first + uint64(n); next > at {
				break
			}
		}
		if s.pass.has(slot) {
			slots = append(slots, uint32(slot))
		}
		at = next
	}
	return slots
}

// bestByWords returns the wanted slots in order of ordinals. It stores bounds for all
// others in out.
func (s *search) bestByWords(ctx context.Context, q *words.Query, wanted []engine.TopK, out *engine.TermMatches) ([]uint32, error) {
	tops := make([][]*vec.TopK, cores())
	for w := range tops {
		for _, want := range wanted {
			tops[w] = append(tops[w], vec.NewTopK(want.K))
		}
	}
	marks, looked := s.marks(q)
	thorough := slices.ContainsFunc(wanted, func(w engine.TopK) bool { return w.Thorough })
	if out.UnseenBounds = []float32{}; !thorough {
		out.UnseenBounds = q.UnseenBounds(looked)
	}
	if len(marks) == 0 && !thorough {
		out.LeftOutBounds = make([]float32, len(wanted))
		return nil, nil
	}
	err := s.readingPieces(ctx, q, s.units(), func(worker, unit int, b *pieceReader) {
		if thorough {
			lo, hi := s.bounds(unit)
			b.slots = s.pass.appendSlots(b.slots[:0], lo, hi)
		} else {
			b.slots = s.having(b.slots[:0], unit, marks)
		}
		if len(b.slots) == 0 {
			return
		}
		b.score(s, b.slots)
		values := make([]float32, len(b.slots))
		for j, want := range wanted {
			want.By(values, b.columns)
			tops[worker][j].PushIDs(b.slots, values)
		}
	})
	found := newBitmap(s.slots)
	for j, top := range merged(tops) {
		slots, values := top.Ranked()
		out.LeftOutBounds = append(out.LeftOutBounds, wanted[j].LeftOutBound(values))
		for i, slot := range slots {
			if values[i] > 0 {
				found.set(int(slot))
			}
		}
	}
	return found.appendSlots(nil, 0, s.slots), err
}

// pieceReader is the per-goroutine state for reading pieces.
type pieceReader struct {
	*words.Reader
	line []float32
	scratch
}

// readingPieces calls f for each unit of work, on all cores.
func (s *search) readingPieces(ctx context.Context, q *words.Query, units int, f func(worker, unit int, b *pieceReader)) error {
	readers := make([]pieceReader, cores())
	for i := range readers {
		readers[i] = pieceReader{Reader: q.NewReader(), line: make([]float32, q.Atoms())}
	}
	return s.spread(ctx, units, len(readers), func(worker, unit int) error {
		f(worker, unit, &readers[worker])
		return nil
	})
}

// score fills the columns from the pieces of slots.
func (b *pieceReader) score(s *search, slots []uint32) {
	columns := b.room(len(b.line), len(slots))
	for i, slot := range slots {
		clear(b.line)
		if slot != noSlot {
			b.Read(b.line, s.pieces(int(slot)))
		}
		for a, x := range b.line {
			columns[a][i] = x
		}
	}
}

// containing returns the slots whose texts match a pattern, extending the known ones. It
// examines every document, so NOT text:word is a guarantee.
func (v *view) containing(ctx context.Context, p *query.Predicate, known knownSlots) (bitmap, error) {
	pattern, err := storekit.PatternOf(p)
	if err != nil {
		return nil, err
	}
	bits := known.bits.grown(v.slots)
	if !query.IsTextField(p.Field) {
		var o Ordinal
		var text string
		return bits, eachRow(ctx, v.tx, []any{&o, &text}, func() {
			if slot, ok := v.table.find(o); ok && pattern.In(words.Pieces([]string{text})) {
				bits.set(slot)
			}
		}, `SELECT ordinal, CASE WHEN value < '' THEN text ELSE value END FROM entries WHERE field = ? AND ordinal >= ?`, p.Field, v.ordinal(known.upTo))
	}
	const some = 4096
	first := known.upTo / some // units set bits in disjoint words of the bitmap
	return bits, v.spread(ctx, (v.slots+some-1)/some-first, cores(), func(_, unit int) error {
		lo := (first + unit) * some
		for slot := max(lo, known.upTo); slot < min(lo+some, v.slots); slot++ {
			if pattern.In(v.pieces(slot)) {
				bits.set(slot)
			}
		}
		return nil
	})
}
