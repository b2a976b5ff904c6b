package index

import "context"

// Vectors copies the vectors of documents as wholes. Where one has been deleted or
// replaced since its ordinal was obtained, there is nil.
func (c *Collection) Vectors(ctx context.Context, ordinals []Ordinal) ([][]float32, error) {
	out := make([][]float32, len(ordinals))
	err := c.looking(ctx, "reading vectors", func(s *snapshot) {
		for i, o := range ordinals {
			if slot, ok := s.find(o); ok {
				out[i] = s.whole(slot)
			}
		}
	})
	return out, err
}

// Sample names up to n documents, spread evenly over the collection. The same state
// gives the same sample.
func (c *Collection) Sample(ctx context.Context, n int) ([]Ordinal, error) {
	var out []Ordinal
	err := c.looking(ctx, "sampling documents", func(s *snapshot) {
		n = min(n, s.slots)
		for i := range n {
			if slot := int(int64(i) * int64(s.slots) / int64(n)); !s.dead.has(slot) {
				out = append(out, s.ordinal(slot))
			}
		}
	})
	return out, err
}

// whole copies the vector of a slot's document.
func (s *snapshot) whole(slot int) []float32 {
	at := s.first(slot) * s.dim
	return append([]float32(nil), s.vectors()[at:at+s.dim]...)
}
