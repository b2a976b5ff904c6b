package builtin

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/vec"
)

// scratch is what computing one text needs, for the longest one.
type scratch struct {
	x       []float32 // tokens × dim: the states
	attend  []float32 // tokens × 3·dim: queries, keys, values
	context []float32 // tokens × dim: what attention brings
	sum     []float32 // tokens × dim: what is added to the states
	inner   []float32 // tokens × inner
	keys    []float32 // tokens × head: of one head
	values  []float32 // head × tokens: of one head, transposed
	scores  []float32 // packed queries × tokens
	ones    []float32 // dim
	in, out [][]float32
	packed  vec.Queries8
}

func newScratch(w *weights) *scratch {
	head := w.dim / w.heads
	floats := func(n int) []float32 { return make([]float32, n) }
	return &scratch{
		x:       floats(w.limit * w.dim),
		attend:  floats(w.limit * 3 * w.dim),
		context: floats(w.limit * w.dim),
		sum:     floats(w.limit * w.dim),
		inner:   floats(w.limit * w.inner),
		keys:    floats(w.limit * head),
		values:  floats(w.limit * head),
		scores:  floats(vec.MaxQueries * w.limit),
		ones:    slices.Repeat([]float32{1}, w.dim),
		in:      make([][]float32, 0, vec.MaxQueries),
		out:     make([][]float32, 0, vec.MaxQueries),
	}
}

// forward is the unit vector of a text given as token ids.
func (w *weights) forward(ctx context.Context, s *scratch, ids []int32) ([]float32, error) {
	n := len(ids)
	x := s.x[:n*w.dim]
	w.embed(x, ids, s)
	for i := range w.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.layer(&w.layers[i], s, x); err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
	}
	vector := make([]float32, w.dim)
	for t := range n {
		vec.AddScaled(vector, x[t*w.dim:][:w.dim], 1)
	}
	return vector, vec.Normalize(vector) // the length takes care of the mean
}

// embed sets x to the states that the layers begin with.
func (w *weights) embed(x []float32, ids []int32, s *scratch) {
	for t, id := range ids {
		row := x[t*w.dim:][:w.dim]
		scale := w.words.scales[id]
		copy(row, w.positions[t*w.dim:])
		for i, code := range w.words.row(int(id)) {
			row[i] += scale * float32(code)
		}
		w.norm.apply(row, s.ones)
	}
}

// layer changes the states x: attention, then the two linear layers with GELU
// between them, each added to what it was given and normalized.
func (w *weights) layer(l *layer, s *scratch, x []float32) error {
	n := len(x) / w.dim
	attend, context, sum := s.attend[:3*n*w.dim], s.context[:n*w.dim], s.sum[:n*w.dim]
	if err := l.attend.apply(s, attend, x); err != nil {
		return err
	}
	for h := range w.heads {
		if err := w.head(s, context, attend, h); err != nil {
			return err
		}
	}
	if err := l.output.apply(s, sum, context); err != nil {
		return err
	}
	w.add(x, sum, l.attentionNorm, s)

	inner := s.inner[:n*w.inner]
	if err := l.up.apply(s, inner, x); err != nil {
		return err
	}
	gelu(inner)
	if err := l.down.apply(s, sum, inner); err != nil {
		return err
	}
	w.add(x, sum, l.norm, s)
	return nil
}

// add adds sum to the states and normalizes them.
func (w *weights) add(x, sum []float32, n layerNorm, s *scratch) {
	vec.AddScaled(x, sum, 1)
	for at := 0; at < len(x); at += w.dim {
		n.apply(x[at:at+w.dim], s.ones)
	}
}

// head computes one head of attention for all tokens: into its columns of
// context go the means of its values, weighted by the softmax of the products
// of query and key.
func (w *weights) head(s *scratch, context, attend []float32, h int) error {
	d := w.dim / w.heads
	n := len(context) / w.dim
	keys, values := s.keys[:n*d], s.values[:n*d]
	for t := range n {
		row := attend[3*t*w.dim:][:3*w.dim]
		copy(keys[t*d:][:d], row[w.dim+h*d:])
		for c, x := range row[2*w.dim+h*d:][:d] {
			values[c*n+t] = x
		}
	}
	scale := float32(1 / math.Sqrt(float64(d)))
	for from := 0; from < n; from += vec.MaxQueries {
		s.in, s.out = s.in[:0], s.out[:0]
		for t := from; t < min(from+vec.MaxQueries, n); t++ {
			s.in = append(s.in, attend[3*t*w.dim+h*d:][:d])
			s.out = append(s.out, s.scores[(t-from)*n:][:n])
		}
		queries, err := vec.Pack(s.in...)
		if err != nil {
			return err
		}
		queries.Dots(s.out, keys)
		for i, row := range s.out {
			softmax(row, scale)
			s.in[i] = context[(from+i)*w.dim+h*d:][:d]
		}
		shares, err := vec.Pack(s.out...)
		if err != nil {
			return err
		}
		shares.Dots(s.in, values)
	}
	return nil
}

// apply sets each row of out to the layer's value at that row of x, eight rows
// in one pass over the weights.
func (l *linear) apply(s *scratch, out, x []float32) error {
	columns, rows := l.columns, len(l.bias)
	for n := len(x) / columns; n > 0; {
		s.in, s.out = s.in[:0], s.out[:0]
		for range min(n, vec.MaxQueries) {
			s.in, x = append(s.in, x[:columns]), x[columns:]
			s.out, out = append(s.out, out[:rows]), out[rows:]
		}
		n -= len(s.in)
		if err := s.packed.Repack(s.in...); err != nil {
			return err
		}
		s.packed.Dots(s.out, l.rows, l.scales)
		for _, row := range s.out {
			vec.AddScaled(row, l.bias, 1)
		}
	}
	return nil
}
