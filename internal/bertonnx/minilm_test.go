package bertonnx

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
)

// The teacher, all-MiniLM-L6-v2, from its published weights: the cosines of three
// phrases are those of its own library.
func TestMiniLM(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a model of 90 MB")
	}
	folder := filepath.Join(frozen.Dir(t), "models", "all-minilm-l6-v2")
	load(t)
	s := open(t, minilm(t, folder), "")
	vocabulary, err := os.ReadFile(filepath.Join(folder, "vocab.txt"))
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(string(vocabulary), "\n")
	vector := func(words string) []float64 {
		var ids, mask []int64
		for _, word := range strings.Fields("[CLS] " + words + " [SEP]") {
			at := slices.Index(pieces, word)
			if at < 0 {
				t.Fatalf("no %q in the vocabulary", word)
			}
			ids, mask = append(ids, int64(at)), append(mask, 1)
		}
		states := run(t, s, 1, ids, mask, make([]int64, len(ids)))
		return mean(states, len(ids))
	}
	a, b, c := vector("a dog"), vector("a puppy"), vector("tax law")
	for _, pair := range []struct {
		name string
		x, y []float64
		want string
	}{
		{"dog, puppy", a, b, "0.769"}, {"dog, law", a, c, "0.112"}, {"puppy, law", b, c, "0.047"},
	} {
		dot := 0.0
		for i := range pair.x {
			dot += pair.x[i] * pair.y[i]
		}
		if got := fmt.Sprintf("%.3f", dot); got != pair.want {
			t.Errorf("%s: cosine %s, want %s", pair.name, got, pair.want)
		}
	}
}

// mean is the mean of the rows, of length 1.
func mean(states []float32, rows int) []float64 {
	out := make([]float64, len(states)/rows)
	for i, x := range states {
		out[i%len(out)] += float64(x)
	}
	norm := 0.0
	for _, x := range out {
		norm += x * x
	}
	for i := range out {
		out[i] /= math.Sqrt(norm)
	}
	return out
}

// minilm reads the weights.
func minilm(t *testing.T, folder string) *Model {
	tensor := safetensors(t, filepath.Join(folder, "model.fp16.safetensors"))
	linear := func(name string) Linear { return Linear{tensor(name + ".weight"), tensor(name + ".bias")} }
	norm := func(name string) Norm { return Norm(linear(name + ".LayerNorm")) }
	m := &Model{
		Dim: 384, Heads: 12, Inner: 1536, Epsilon: 1e-12,
		Words:     tensor("embeddings.word_embeddings.weight"),
		Positions: tensor("embeddings.position_embeddings.weight"),
		Types:     tensor("embeddings.token_type_embeddings.weight"),
		Norm:      norm("embeddings"),
	}
	for i := range 6 {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		m.Layers = append(m.Layers, Layer{
			Query:         linear(at + "attention.self.query"),
			Key:           linear(at + "attention.self.key"),
			Value:         linear(at + "attention.self.value"),
			Output:        linear(at + "attention.output.dense"),
			AttentionNorm: norm(at + "attention.output"),
			Up:            linear(at + "intermediate.dense"),
			Down:          linear(at + "output.dense"),
			Norm:          norm(at + "output"),
		})
	}
	return m
}

// safetensors looks up the tensors of a file, all of them float16, by name.
func safetensors(t *testing.T, path string) func(name string) []float32 {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := binary.LittleEndian.Uint64(data)
	var header map[string]struct {
		Type string `json:"dtype"`
		At   [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(data[8:8+size], &header); err != nil {
		t.Fatal(err)
	}
	body := data[8+size:]
	return func(name string) []float32 {
		entry, ok := header[name]
		if !ok || entry.Type != "F16" {
			t.Fatalf("%s has no float16 tensor %s", path, name)
		}
		part := body[entry.At[0]:entry.At[1]]
		out := make([]float32, len(part)/2)
		for i := range out {
			out[i] = half(binary.LittleEndian.Uint16(part[2*i:]))
		}
		return out
	}
}

// half is the value of a float16 that is neither infinite nor NaN.
func half(h uint16) float32 {
	sign := 1 - 2*float64(h>>15)
	exponent, fraction := int(h>>10)&31, float64(h&1023)
	if exponent == 0 {
		return float32(sign * math.Ldexp(fraction, -24))
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
