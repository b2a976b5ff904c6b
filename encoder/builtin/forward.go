package builtin

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/encoder/builtin/internal/nn"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// feedTokens is how many tokens go through the two feed-forward layers at a time. The
// activations between the layers should fit in the L2 cache.
const feedTokens = 48

// scratch holds the buffers for computing one batch, large enough for the largest batch.
type scratch struct {
	x       []float32 // tokens × dim: the states
	attend  []float32 // tokens × 3·dim: queries, keys, values
	context []float32 // tokens × dim: output of the attention heads
	sum     []float32 // tokens × dim: residual to add to the states
	inner   []float32 // feedTokens × inner
	keys    []float32 // head × tokens: keys of one head, transposed
	scores  []float32 // scoreRows × tokens
	rounded nn.Rounded
}

// scoreRows is how many tokens are scored against the other tokens of their text at a time.
const scoreRows = 24

// padded rounds n up to the column multiple that nn.Product requires.
func padded(n int) int { return (n + 15) &^ 15 }

func newScratch(w *weights) *scratch {
	floats := func(n int) []float32 { return make([]float32, n) }
	return &scratch{
		x:       floats(w.limit * w.dim),
		attend:  floats(w.limit * 3 * w.dim),
		context: floats(w.limit * w.dim),
		sum:     floats(w.limit * w.dim),
		inner:   floats(feedTokens * w.inner),
		keys:    floats(w.dim / w.heads * padded(w.limit)),
		scores:  floats(scoreRows * padded(w.limit)),
	}
}

// forward sets vectors to the unit vectors of texts, given as token ids. Together the
// texts have no more tokens than the longest allowed text. Each vector is independent of
// the other texts; batching them reads the weights only once.
func (w *weights) forward(ctx context.Context, s *scratch, texts [][]int32, vectors [][]float32) error {
	n := 0
	for _, ids := range texts {
		w.embed(s.x[n*w.dim:], s.sum[n*w.dim:], ids)
		n += len(ids)
	}
	x := s.x[:n*w.dim]
	nn.AddNorm(x, s.sum[:len(x)], w.norm.weight, w.norm.bias)
	for i := range w.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.attention(&w.layers[i], s, x, texts)
		w.feed(&w.layers[i], s, x)
	}
	for i, ids := range texts {
		vector := make([]float32, w.dim)
		for range ids {
			vec.AddScaled(vector, x[:w.dim], 1)
			x = x[w.dim:]
		}
		if err := vec.Normalize(vector); err != nil { // normalizing makes dividing by the token count unnecessary
			return err
		}
		vectors[i] = vector
	}
	return nil
}

// embed sets x to the position embeddings of a text's tokens and words to their word embeddings.
func (w *weights) embed(x, words []float32, ids []int32) {
	copy(x, w.positions[:len(ids)*w.dim])
	for t, id := range ids {
		nn.Expand(words[t*w.dim:][:w.dim], w.words.row(int(id)), w.words.scales[id])
	}
}

// attention adds the output of self-attention within each text to the states x, and
// normalizes them.
func (w *weights) attention(l *layer, s *scratch, x []float32, texts [][]int32) {
	n := len(x) / w.dim
	attend, context, sum := s.attend[:3*len(x)], s.context[:len(x)], s.sum[:len(x)]
	s.rounded.Set(x, w.dim)
	l.attend.laid.Apply(attend, &s.rounded)
	at := 0
	for _, ids := range texts {
		for h := range w.heads {
			w.head(s, context[at*w.dim:], attend[at*3*w.dim:], len(ids), h)
		}
		at += len(ids)
	}
	s.rounded.Set(context[:n*w.dim], w.dim)
	l.output.laid.Apply(sum, &s.rounded)
	nn.AddNorm(x, sum, l.attentionNorm.weight, l.attentionNorm.bias)
}

// head computes one attention head for the n tokens of a text. It writes the values,
// weighted by the softmax of the query-key products, to the head's columns of context.
func (w *weights) head(s *scratch, context, attend []float32, n, h int) {
	d, stride, wide := w.dim/w.heads, 3*w.dim, padded(n)
	keys := nn.Matrix{Data: s.keys, Stride: wide}
	transpose(keys, attend[w.dim+h*d:], stride, n, d)
	scale := float32(1 / math.Sqrt(float64(d)))
	for from := 0; from < n; from += scoreRows {
		rows := min(scoreRows, n-from)
		scores := nn.Matrix{Data: s.scores, Stride: wide}
		nn.Product(scores, nn.Matrix{Data: attend[from*stride+h*d:], Stride: stride}, keys, rows, d, wide)
		nn.Softmax(scores, rows, n, scale)
		nn.Product(nn.Matrix{Data: context[from*w.dim+h*d:], Stride: w.dim}, scores,
			nn.Matrix{Data: attend[2*w.dim+h*d:], Stride: stride}, rows, n, d)
	}
}

// transpose sets the rows of m to the first d columns of n rows of x, which are stride apart.
func transpose(m nn.Matrix, x []float32, stride, n, d int) {
	for t := range n {
		for c, v := range x[t*stride:][:d] {
			m.Data[c*m.Stride+t] = v
		}
	}
	for c := range d { // columns past the last token are read but have no effect
		clear(m.Data[c*m.Stride+n : (c+1)*m.Stride])
	}
}

// feed adds the output of the two feed-forward layers, with GELU between them, to the
// states x, and normalizes them.
func (w *weights) feed(l *layer, s *scratch, x []float32) {
	sum := s.sum[:len(x)]
	for at := 0; at < len(x); at += feedTokens * w.dim {
		end := min(at+feedTokens*w.dim, len(x))
		inner := s.inner[:(end-at)/w.dim*w.inner]
		s.rounded.Set(x[at:end], w.dim)
		l.up.laid.Apply(inner, &s.rounded)
		nn.GELU(inner)
		s.rounded.Set(inner, w.inner)
		l.down.laid.Apply(sum[at:end], &s.rounded)
	}
	nn.AddNorm(x, sum, l.norm.weight, l.norm.bias)
}
