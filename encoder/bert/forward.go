package bert

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/encoder/bert/internal/nn"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// feedTokens is how many tokens go through the two feed-forward layers at a time. The
// activations between the layers should fit in the L2 cache.
const feedTokens = 48

// scoreRows is how many tokens are scored against the other tokens of their text at a time.
const scoreRows = 24

// scratch holds the buffers for computing one batch. They grow with the batches.
type scratch struct {
	x       []float32 // tokens × wide: the states
	attend  []float32 // tokens × 3·heads: queries, keys, values
	context []float32 // tokens × heads: output of the attention heads
	sum     []float32 // tokens × wide: residual to add to the states
	inner   []float32 // feedTokens × inner
	keys    []float32 // head × tokens: keys of one head, transposed
	scores  []float32 // scoreRows × tokens
	rounded nn.Rounded
}

// fit makes the buffers large enough for a batch.
func (s *scratch) fit(m *Model, tokens, longest int) {
	grow := func(b *[]float32, n int) {
		if len(*b) < n {
			*b = make([]float32, n)
		}
	}
	longest = padded(longest, headUnit)
	grow(&s.x, tokens*m.wide())
	grow(&s.attend, tokens*3*m.heads())
	grow(&s.context, tokens*m.heads())
	grow(&s.sum, tokens*m.wide())
	grow(&s.inner, feedTokens*padded(m.Inner, Unit))
	grow(&s.keys, m.head()*longest)
	grow(&s.scores, scoreRows*longest)
}

// forward sets vectors to the unit vectors of texts, given as token ids. Each vector is
// independent of the other texts; batching them reads the weights only once.
func (m *Model) forward(ctx context.Context, s *scratch, texts [][]int32, vectors [][]float32) error {
	n, longest, wide := 0, 0, m.wide()
	for _, ids := range texts {
		n += len(ids)
		longest = max(longest, len(ids))
	}
	s.fit(m, n, longest)
	x, at := s.x[:n*wide], 0
	for _, ids := range texts {
		m.embed(x[at*wide:], s.sum[at*wide:], ids)
		at += len(ids)
	}
	m.norm(x, s.sum, m.Norm)
	for i := range m.Layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.attention(&m.Layers[i], s, x, texts)
		m.feed(&m.Layers[i], s, x)
	}
	for i, ids := range texts {
		vector := make([]float32, m.Dim)
		pooled := len(ids)
		if m.First {
			pooled = min(pooled, 1)
		}
		for t := range pooled {
			vec.AddScaled(vector, x[t*wide:][:m.Dim], 1)
		}
		x = x[len(ids)*wide:]
		if err := vec.Normalize(vector); err != nil { // normalizing makes dividing by the token count unnecessary
			return err
		}
		vectors[i] = vector
	}
	return nil
}

// embed sets x to the position embeddings of a text's tokens and words to their word embeddings.
func (m *Model) embed(x, words []float32, ids []int32) {
	wide := m.wide()
	copy(x, m.Positions[:len(ids)*wide])
	for t, id := range ids {
		nn.Expand(words[t*wide:][:wide], m.Words.row(int(id)), m.Words.Scales[id])
	}
}

// norm adds the rows of sum to the states x and normalizes them.
func (m *Model) norm(x, sum []float32, n Norm) {
	nn.AddNorm(x, sum[:len(x)], m.wide(), n.Weight, n.Bias, m.Epsilon)
}

// attention adds the output of self-attention within each text to the states x, and
// normalizes them.
func (m *Model) attention(l *Layer, s *scratch, x []float32, texts [][]int32) {
	n, heads := len(x)/m.wide(), m.heads()
	attend, context, sum := s.attend[:3*n*heads], s.context[:n*heads], s.sum[:len(x)]
	s.rounded.Set(x, m.wide())
	l.Attend.laid.Apply(attend, &s.rounded)
	at := 0
	for _, ids := range texts {
		for h := range m.Heads {
			m.attendHead(s, context[at*heads:], attend[at*3*heads:], len(ids), h)
		}
		at += len(ids)
	}
	s.rounded.Set(context, heads)
	l.Output.laid.Apply(sum, &s.rounded)
	m.norm(x, sum, l.AttentionNorm)
}

// attendHead computes one attention head for the n tokens of a text. It writes the values,
// weighted by the softmax of the query-key products, to the head's columns of context.
func (m *Model) attendHead(s *scratch, context, attend []float32, n, h int) {
	d, heads, wide := m.head(), m.heads(), padded(n, headUnit)
	stride := 3 * heads
	keys := nn.Matrix{Data: s.keys, Stride: wide}
	transpose(keys, attend[heads+h*d:], stride, n, d)
	scale := float32(1 / math.Sqrt(float64(m.Dim/m.Heads)))
	for from := 0; from < n; from += scoreRows {
		from = min(from, max(n-nn.Tile, 0)) // products of fewer rows are slow
		rows := min(scoreRows, n-from)
		scores := nn.Matrix{Data: s.scores, Stride: wide}
		nn.Product(scores, nn.Matrix{Data: attend[from*stride+h*d:], Stride: stride}, keys, rows, d, wide)
		nn.Softmax(scores, rows, n, scale)
		nn.Product(nn.Matrix{Data: context[from*heads+h*d:], Stride: heads}, scores,
			nn.Matrix{Data: attend[2*heads+h*d:], Stride: stride}, rows, n, d)
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
func (m *Model) feed(l *Layer, s *scratch, x []float32) {
	sum, wide, columns := s.sum[:len(x)], m.wide(), padded(m.Inner, Unit)
	for at := 0; at < len(x); at += feedTokens * wide {
		end := min(at+feedTokens*wide, len(x))
		inner := s.inner[:(end-at)/wide*columns]
		s.rounded.Set(x[at:end], wide)
		l.Up.laid.Apply(inner, &s.rounded)
		nn.GELU(inner)
		s.rounded.Set(inner, columns)
		l.Down.laid.Apply(sum[at:end], &s.rounded)
	}
	m.norm(x, sum, l.Norm)
}
