package bert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/nsfl-go/nsfl/internal/workers"
)

// Config describes the architecture of a model, in the words of config.json.
type Config struct {
	Hidden     int     `json:"hidden_size"`
	Layers     int     `json:"num_hidden_layers"`
	Heads      int     `json:"num_attention_heads"`
	Inner      int     `json:"intermediate_size"`
	Epsilon    float32 `json:"layer_norm_eps"`
	Activation string  `json:"hidden_act"`
	Positions  string  `json:"position_embedding_type"`
	Decoder    bool    `json:"is_decoder"`
}

// check returns an error unless the kernels can compute the architecture.
func (c *Config) check() error {
	switch {
	case c.Hidden <= 0 || c.Layers <= 0 || c.Heads <= 0 || c.Inner <= 0 || c.Hidden%c.Heads != 0 || c.Hidden%8 != 0 || max(c.Hidden, c.Inner) > 1<<16 || c.Layers > 1<<10:
		return fmt.Errorf("%d layers of %d dimensions with %d heads and %d inner ones are not supported", c.Layers, c.Hidden, c.Heads, c.Inner)
	case c.Activation != "" && c.Activation != "gelu":
		return fmt.Errorf("the activation %s is not supported, only gelu", c.Activation)
	case c.Positions != "" && c.Positions != "absolute":
		return fmt.Errorf("%s positions are not supported, only absolute ones", c.Positions)
	case c.Decoder:
		return errors.New("it is a decoder")
	}
	return nil
}

// Read reads the weights of a model with at most limit tokens, from a model.safetensors or an
// ONNX file. skip is the number of positions before that of the first token.
func Read(path string, c Config, limit, skip int) (*Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := parse(data, filepath.Ext(path) == ".onnx", external(filepath.Dir(path)), c, limit, skip)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	return m, nil
}

// external returns a function that reads files in a folder, each of them once.
func external(dir string) func(string) ([]byte, error) {
	files := map[string][]byte{}
	return func(name string) ([]byte, error) {
		if name != filepath.Base(name) || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the weights are in %q, outside the model's folder", name)
		}
		if files[name] == nil {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return nil, err
			}
			files[name] = data
		}
		return files[name], nil
	}
}

func parse(data []byte, isONNX bool, external func(string) ([]byte, error), c Config, limit, skip int) (*Model, error) {
	var tensors map[string]*tensor
	var err error
	if isONNX {
		tensors, err = readONNX(data, external)
	} else {
		tensors, err = readSafetensors(data)
	}
	if err != nil {
		return nil, err
	}
	w, err := newWeights(tensors)
	if err != nil {
		return nil, err
	}
	m := &Model{Dim: c.Hidden, Heads: c.Heads, Inner: c.Inner, Limit: limit, Epsilon: cmp.Or(c.Epsilon, 1e-12), Layers: make([]Layer, c.Layers)}
	if err := w.embeddings(m, skip); err != nil {
		return nil, err
	}
	return m, workers.Each(context.Background(), c.Layers, runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		return w.layer(m, i)
	})
}

// weights holds tensors by their name in PyTorch without the name of the model in front.
type weights map[string]*tensor

func newWeights(tensors map[string]*tensor) (weights, error) {
	w := weights{}
	for name, t := range tensors {
		for _, part := range []string{"embeddings.", "encoder.layer."} {
			if at := strings.Index("."+name, "."+part); at >= 0 {
				short := name[at:]
				if w[short] != nil {
					return nil, fmt.Errorf("it has several tensors %s: it is not a single encoder", short)
				}
				w[short] = t
			}
		}
	}
	return w, nil
}

// floats returns a tensor of rows × columns, row by row.
func (w weights) floats(name string, rows, columns int) ([]float32, error) {
	t := w[name]
	if t == nil {
		return nil, fmt.Errorf("the tensor %s is missing", name)
	}
	out, err := t.matrix(rows, columns)
	if err != nil {
		return nil, fmt.Errorf("the tensor %s: %w", name, err)
	}
	for _, x := range out {
		if x-x != 0 {
			return nil, fmt.Errorf("the tensor %s has numbers that are not finite", name)
		}
	}
	return out, nil
}

// rows returns all rows of a matrix and their number.
func (w weights) rows(name string, columns int) ([]float32, int, error) {
	rows := 0
	if t := w[name]; t != nil && len(t.shape) == 2 {
		rows = t.shape[0]
	}
	out, err := w.floats(name, rows, columns)
	return out, rows, err
}

// embeddings reads the embeddings and their normalization.
func (w weights) embeddings(m *Model, skip int) error {
	words, n, err := w.rows("embeddings.word_embeddings.weight", m.Dim)
	if err != nil {
		return err
	}
	positions, available, err := w.rows("embeddings.position_embeddings.weight", m.Dim)
	if err != nil {
		return err
	}
	if available < skip+m.Limit {
		return fmt.Errorf("it has %d positions, config.json says %d", available, skip+m.Limit)
	}
	types, kinds, err := w.rows("embeddings.token_type_embeddings.weight", m.Dim)
	if err == nil && kinds == 0 {
		err = errors.New("it has no token types")
	}
	if err != nil {
		return err
	}
	wide := m.wide()
	m.Positions = make([]float32, m.Limit*wide)
	for t := range m.Limit {
		for i, x := range positions[(skip+t)*m.Dim:][:m.Dim] {
			m.Positions[t*wide+i] = x + types[i]
		}
	}
	m.Words = newMatrix(n, wide)
	for i := range n {
		m.Words.set(i, words[i*m.Dim:][:m.Dim], same)
	}
	m.Norm, err = w.norm("embeddings", m.Dim)
	return err
}

func (w weights) norm(name string, n int) (Norm, error) {
	weight, err := w.floats(name+".LayerNorm.weight", 1, n)
	if err != nil {
		return Norm{}, err
	}
	bias, err := w.floats(name+".LayerNorm.bias", 1, n)
	return Norm{weight, bias}, err
}

// layer reads a layer.
func (w weights) layer(m *Model, i int) error {
	l, name := &m.Layers[i], fmt.Sprintf("encoder.layer.%d.", i)
	wide, heads, inner := m.wide(), m.heads(), padded(m.Inner, Unit)
	size, head := m.Dim/m.Heads, m.head()
	// inHead returns the place of a column of the attention heads, which may be padded.
	inHead := func(i int) int { return i/size*head + i%size }
	l.Attend = newLinear(3*heads, wide)
	l.Output, l.Up, l.Down = newLinear(wide, heads), newLinear(inner, wide), newLinear(wide, inner)
	for part, kind := range []string{"query", "key", "value"} {
		place := func(i int) int { return part*heads + inHead(i) }
		if err := w.linear(&l.Attend, name+"attention.self."+kind, m.Dim, m.Dim, place, same); err != nil {
			return err
		}
	}
	err := w.linear(&l.Output, name+"attention.output.dense", m.Dim, m.Dim, same, inHead)
	if err == nil {
		l.AttentionNorm, err = w.norm(name+"attention.output", m.Dim)
	}
	if err == nil {
		err = w.linear(&l.Up, name+"intermediate.dense", m.Inner, m.Dim, same, same)
	}
	if err == nil {
		err = w.linear(&l.Down, name+"output.dense", m.Dim, m.Inner, same, same)
	}
	if err == nil {
		l.Norm, err = w.norm(name+"output", m.Dim)
	}
	return err
}

// linear reads rows × columns of a linear layer to the given rows and columns of l.
func (w weights) linear(l *Linear, name string, rows, columns int, row, column func(int) int) error {
	weight, err := w.floats(name+".weight", rows, columns)
	if err != nil {
		return err
	}
	bias, err := w.floats(name+".bias", 1, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		l.Bias[row(i)] = bias[i]
		l.set(row(i), weight[i*columns:][:columns], column)
	}
	return nil
}

func same(i int) int { return i }

func newLinear(rows, columns int) Linear {
	return Linear{Bias: make([]float32, rows), Matrix: newMatrix(rows, columns)}
}

// newMatrix returns a matrix of zeros.
func newMatrix(rows, columns int) Matrix {
	return Matrix{Columns: columns, Scales: make([]float32, rows), Codes: make([]int8, rows*columns)}
}

// set quantizes a row whose elements go to the given columns.
func (m *Matrix) set(row int, values []float32, column func(int) int) {
	var most float32
	for _, x := range values {
		most = max(most, x, -x)
	}
	if most < 1e-30 {
		return
	}
	scale := most / math.MaxInt8
	m.Scales[row] = scale
	codes := m.row(row)
	for i, x := range values {
		codes[column(i)] = int8(math.RoundToEven(float64(x / scale)))
	}
}
