package bertonnx

import "math"

// Model is a BERT encoder. Its inputs are input_ids, attention_mask and
// token_type_ids, int64 of [batch, sequence]; its output is last_hidden_state,
// float32 of [batch, sequence, dimension].
type Model struct {
	Dim, Heads, Inner       int
	Epsilon                 float32
	Words, Positions, Types []float32
	Norm                    Norm
	Layers                  []Layer
}

// Norm is a layer normalization.
type Norm struct{ Weight, Bias []float32 }

// Linear is a linear layer. Weight has one row per output, as in PyTorch.
type Linear struct{ Weight, Bias []float32 }

// Layer is a layer of the encoder.
type Layer struct {
	Query, Key, Value, Output Linear
	AttentionNorm             Norm
	Up, Down                  Linear
	Norm                      Norm
}

// Graph returns the model as exporters write it, using nodes that every runtime supports,
// in the patterns that optimizers recognize as attention and GELU.
func (m *Model) Graph() *Graph {
	b := &builder{Graph: &Graph{}, Model: m}
	ids := b.Input("input_ids", Int64, "batch", "sequence")
	mask := b.Input("attention_mask", Int64, "batch", "sequence")
	types := b.Input("token_type_ids", Int64, "batch", "sequence")

	x := b.embed(ids, types)
	bias := b.bias(mask)
	for i := range m.Layers {
		x = b.layer(&m.Layers[i], x, bias)
	}
	const output = "last_hidden_state"
	b.Named(output, "Identity", []string{x})
	b.Output(output, Float32, "batch", "sequence", m.Dim)
	return b.Graph
}

// builder adds the parts of a model to a graph.
type builder struct {
	*Graph
	*Model
}

func (b *builder) node(operator string, inputs ...string) string { return b.Node(operator, inputs) }

func (b *builder) scalar(x float64) string { return b.Floats([]float32{float32(x)}) }

// embed adds the embeddings of words, positions and types.
func (b *builder) embed(ids, types string) string {
	positions := make([]int64, len(b.Positions)/b.Dim)
	for i := range positions {
		positions[i] = int64(i)
	}
	length := b.Node("Gather", []string{b.node("Shape", ids), b.Ints([]int64{1})}, Attribute{"axis", 0})
	axis0, axis1 := b.Ints([]int64{0}, 1), b.Ints([]int64{1}, 1)
	used := b.node("Slice", b.Ints(positions, 1, len(positions)), axis0, b.node("Unsqueeze", length, axis0), axis1)

	lookUp := func(table []float32, at string) string {
		return b.Node("Gather", []string{b.Floats(table, len(table)/b.Dim, b.Dim), at}, Attribute{"axis", 0})
	}
	sum := b.node("Add", lookUp(b.Words, ids), lookUp(b.Types, types))
	return b.norm(b.Norm, b.node("Add", sum, lookUp(b.Positions, used)))
}

// bias returns the value to add to attention scores: 0 where the mask is 1, very negative
// where it is 0.
func (b *builder) bias(mask string) string {
	wide := b.node("Unsqueeze", b.node("Unsqueeze", mask, b.Ints([]int64{1}, 1)), b.Ints([]int64{2}, 1))
	hidden := b.node("Sub", b.scalar(1), b.Node("Cast", []string{wide}, Attribute{"to", int(Float32)}))
	return b.node("Mul", hidden, b.scalar(-10000))
}

func (b *builder) layer(l *Layer, x, bias string) string {
	size := b.Dim / b.Heads
	split := b.Ints([]int64{0, 0, int64(b.Heads), int64(size)}, 4)
	heads := func(part Linear, order ...int) string {
		y := b.node("Reshape", b.linear(part, x, b.Dim, b.Dim), split)
		return b.Node("Transpose", []string{y}, Attribute{"perm", order})
	}
	query, key, value := heads(l.Query, 0, 2, 1, 3), heads(l.Key, 0, 2, 3, 1), heads(l.Value, 0, 2, 1, 3)
	scores := b.node("Div", b.node("MatMul", query, key), b.scalar(math.Sqrt(float64(size))))
	shares := b.Node("Softmax", []string{b.node("Add", scores, bias)}, Attribute{"axis", -1})
	mixed := b.Node("Transpose", []string{b.node("MatMul", shares, value)}, Attribute{"perm", []int{0, 2, 1, 3}})
	mixed = b.node("Reshape", mixed, b.Ints([]int64{0, 0, int64(b.Dim)}, 3))
	x = b.norm(l.AttentionNorm, b.node("Add", b.linear(l.Output, mixed, b.Dim, b.Dim), x))

	inner := b.gelu(b.linear(l.Up, x, b.Inner, b.Dim))
	return b.norm(l.Norm, b.node("Add", b.linear(l.Down, inner, b.Dim, b.Inner), x))
}

// linear multiplies x by the transposed weights, as exporters do, and adds the bias.
func (b *builder) linear(l Linear, x string, rows, columns int) string {
	transposed := make([]float32, len(l.Weight))
	for i := range rows {
		for j := range columns {
			transposed[j*rows+i] = l.Weight[i*columns+j]
		}
	}
	product := b.node("MatMul", x, b.Floats(transposed, columns, rows))
	return b.node("Add", product, b.Floats(l.Bias, rows))
}

func (b *builder) norm(n Norm, x string) string {
	inputs := []string{x, b.Floats(n.Weight, b.Dim), b.Floats(n.Bias, b.Dim)}
	return b.Node("LayerNormalization", inputs, Attribute{"axis", -1}, Attribute{"epsilon", b.Epsilon})
}

func (b *builder) gelu(x string) string {
	wing := b.node("Add", b.node("Erf", b.node("Div", x, b.scalar(math.Sqrt2))), b.scalar(1))
	return b.node("Mul", b.node("Mul", x, wing), b.scalar(0.5))
}
