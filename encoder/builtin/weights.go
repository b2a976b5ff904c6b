package builtin

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/builtin/internal/nn"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/workers"
)

//go:embed model.bin
var embedded string

// weights is a model as stored in its file. training/export.py describes the format.
type weights struct {
	dim, heads, inner, limit int

	revision  string
	sum       string   // SHA-256 of the file in hexadecimal
	pieces    []string // word pieces by id
	tokens    *tokenizer.Tokenizer
	words     matrix
	positions []float32
	norm      layerNorm
	layers    []layer
}

// matrix stores int8 codes and one scale per row; an element is their product.
type matrix struct {
	columns int
	scales  []float32
	rows    []int8
}

// row returns the codes of row i.
func (m *matrix) row(i int) []int8 { return m.rows[i*m.columns:][:m.columns] }

type linear struct {
	bias []float32
	matrix
	laid *nn.Linear // the same in the kernels' layout; set by layOut
}

type layerNorm struct{ weight, bias []float32 }

type layer struct {
	attend        linear // query, key and value of all heads, stacked
	output        linear
	attentionNorm layerNorm
	up, down      linear
	norm          layerNorm
}

const (
	magic   = "NSFLENC\x00"
	version = 1
)

// layOut converts the weights of all layers to the kernels' layout.
func (w *weights) layOut() error {
	var all []*linear
	for i := range w.layers {
		l := &w.layers[i]
		all = append(all, &l.attend, &l.output, &l.up, &l.down)
	}
	return workers.Each(context.Background(), len(all), runtime.GOMAXPROCS(0), func(_ context.Context, i int) (err error) {
		l := all[i]
		l.laid, err = nn.NewLinear(l.rows, l.scales, l.bias)
		return err
	})
}

// readWeights reads a model. Its matrices are views of data, which the operating system
// maps read-only and shares between processes; the rest is copied.
func readWeights(data string) (*weights, error) {
	w, err := parseWeights(data)
	if err != nil {
		return nil, fmt.Errorf("reading the built-in encoder's weights: %w", err)
	}
	return w, nil
}

func parseWeights(data string) (*weights, error) {
	r := &reader{rest: data}
	if r.bytes(len(magic)) != magic {
		return nil, errors.New("not a weights file: wrong magic bytes")
	}
	if v := r.number(); v != version {
		return nil, fmt.Errorf("file format has version %d, want %d: export it with this version's training/export.py", v, version)
	}
	want := r.bytes(sha256.Size)
	if r.err != nil {
		return nil, r.err
	}
	if got := sha256.Sum256(view[byte](r.rest)); string(got[:]) != want {
		return nil, errors.New("the checksum differs: the file is damaged")
	}
	sum := sha256.Sum256(view[byte](data))
	w := &weights{sum: hex.EncodeToString(sum[:])}

	// The checksum guarantees the rest of the file.
	layers := r.number()
	w.dim, w.heads, w.inner = r.number(), r.number(), r.number()
	words := r.number()
	w.limit = r.number()
	w.revision = r.string()
	pieces := r.string()
	w.words = r.matrix(words, w.dim)
	w.positions = r.floats(w.limit * w.dim)
	w.norm = r.norm(w.dim)
	for range layers {
		if r.err != nil {
			break
		}
		w.layers = append(w.layers, layer{
			attend:        r.linear(3*w.dim, w.dim),
			output:        r.linear(w.dim, w.dim),
			attentionNorm: r.norm(w.dim),
			up:            r.linear(w.inner, w.dim),
			down:          r.linear(w.dim, w.inner),
			norm:          r.norm(w.dim),
		})
	}
	if r.err == nil && r.rest != "" {
		r.err = fmt.Errorf("%d bytes after the last layer", len(r.rest))
	}
	if r.err != nil {
		return nil, r.err
	}
	// One word piece per line in the order of ids, as in the teacher's tokenizer.json.
	w.pieces = strings.Split(pieces, "\n")
	if len(w.pieces) != words {
		return nil, fmt.Errorf("%d word pieces, want %d", len(w.pieces), words)
	}
	var err error
	w.tokens, err = tokenizer.Uncased(w.pieces)
	return w, err
}
