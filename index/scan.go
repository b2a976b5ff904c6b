package index

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Scan computes the exact similarity of every document that passes the filter to each
// vector, in order of ordinals. It reads stored vectors once regardless of the number of
// query vectors, and only those of passing documents if they are few. A nil filter passes
// all documents.
//
// The filter consists of predicates, NOT, AND and OR, like query.Formula.Filter. A
// predicate compares numerically if both sides are numbers (text that parses as a number
// counts), otherwise as strings, byte by byte. A list satisfies a predicate if one
// element does, a missing field never does, and outer.inner names a nested field.
func (c *Collection) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	var columns *engine.Columns
	err := c.searching(ctx, "scanning", vectors, filter, func(s *search) (err error) {
		columns, err = s.scan(ctx)
		return err
	})
	return columns, err
}

func (s *search) scan(ctx context.Context) (*engine.Columns, error) {
	s.passAll()
	dense, sparse, err := s.exact(s.vectors)
	if err != nil {
		return nil, err
	}
	offsets := s.offsets()
	out := newColumns(len(s.vectors), offsets[len(offsets)-1])
	err = s.sweep(ctx, dense, sparse, func(_, unit int, slots []uint32, columns [][]float32) {
		at := offsets[unit]
		for j, column := range columns {
			copy(out.Similarities[j][at:], column)
		}
		s.refs(out.Refs[at:], slots)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// refs writes the Refs of slots, which are in ascending order. Unless documents were
// compacted away in between, the first and last ordinal determine all others.
func (s *search) refs(out []engine.Ref, slots []uint32) {
	if len(slots) == 0 {
		return
	}
	from, to := slots[0], slots[len(slots)-1]
	first := s.ordinal(int(from))
	if uint32(s.ordinal(int(to))-first) == to-from {
		for i, slot := range slots {
			out[i] = refOf(first + Ordinal(slot-from))
		}
		return
	}
	for i, slot := range slots {
		out[i] = refOf(s.ordinal(int(slot)))
	}
}

// Compare computes the exact similarity of documents, in the given order, to each vector.
// It omits documents that were deleted or replaced after their Refs were obtained.
func (c *Collection) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	var columns *engine.Columns
	err := c.searching(ctx, "comparing", vectors, nil, func(s *search) (err error) {
		columns, err = s.compare(ctx, refs)
		return err
	})
	return columns, err
}

func (s *search) compare(ctx context.Context, refs []engine.Ref) (*engine.Columns, error) {
	_, sparse, err := s.exact(s.vectors)
	if err != nil {
		return nil, err
	}
	slots := make([]uint32, 0, len(refs))
	kept := make([]engine.Ref, 0, len(refs))
	for _, r := range refs {
		if slot, ok := s.find(ordinalOf(r)); ok {
			slots, kept = append(slots, uint32(slot)), append(kept, r)
		}
	}
	out := newColumns(len(s.vectors), len(slots))
	out.Refs = kept
	err = s.gatherAll(ctx, sparse, slots, out.Similarities)
	return out, err
}

// gatherAll computes the columns of slots in chunks, on all cores.
func (s *search) gatherAll(ctx context.Context, sparse scattered, slots []uint32, out [][]float32) error {
	const size = 128
	units := (len(slots) + size - 1) / size
	buffers := make([]scratch, cores())
	return s.spread(ctx, units, len(buffers), func(worker, unit int) error {
		b := &buffers[worker]
		lo, hi := unit*size, min((unit+1)*size, len(slots))
		b.slots = append(b.slots[:0], slots[lo:hi]...)
		s.gather(b, sparse)
		for j, column := range b.columns {
			copy(out[j][lo:hi], column)
		}
		return nil
	})
}
