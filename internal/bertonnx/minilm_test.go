package bertonnx

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// TestMiniLM exports all-MiniLM-L6-v2 from its published weights in full precision to a
// folder that encoder/onnx opens. The cosines of three phrases must equal those of the
// original library, and vectors those that were frozen, up to rounding to 8 bits.
func TestMiniLM(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a model of 90 MB")
	}
	folder := filepath.Join(frozen.Dir(t), "models", "all-minilm-l6-v2")
	load(t)
	dir := t.TempDir()
	err := minilm(t, folder).Graph().WriteFile(filepath.Join(dir, "model.onnx"))
	for _, name := range []string{"config.json", "tokenizer.json"} {
		if err == nil {
			var content []byte
			if content, err = os.ReadFile(filepath.Join(folder, name)); err == nil {
				err = os.WriteFile(filepath.Join(dir, name), content, 0o666)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := onnx.Open(dir, onnx.Options{Pooling: "mean", MaxTokens: 256})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	known := frozen.Strings(t)
	strings := slices.Sorted(maps.Keys(known))[:100]
	out, err := e.Encode(context.Background(), encoder.Query, append([]string{"a dog", "a puppy", "tax law"}, strings...))
	if err != nil {
		t.Fatal(err)
	}
	v := out.Vectors
	got := fmt.Sprintf("%.3f %.3f %.3f", vec.Dot64(v[0], v[1]), vec.Dot64(v[0], v[2]), vec.Dot64(v[1], v[2]))
	if want := "0.769 0.112 0.047"; got != want {
		t.Errorf("the cosines of a dog, a puppy and tax law are %s, want %s", got, want)
	}
	for i, s := range strings {
		if c := vec.Dot64(v[3+i], known[s]); c < 0.9995 {
			t.Errorf("%q has the cosine %.5f to its frozen vector", s, c)
		}
	}
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

// safetensors returns a lookup by name of a file's tensors, all of which are float16.
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

// half converts a float16 that is neither infinite nor NaN.
func half(h uint16) float32 {
	sign := 1 - 2*float64(h>>15)
	exponent, fraction := int(h>>10)&31, float64(h&1023)
	if exponent == 0 {
		return float32(sign * math.Ldexp(fraction, -24))
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
