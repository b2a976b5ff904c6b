package onnx

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// The published weights of all-MiniLM-L6-v2 give about the cosines of three phrases that the
// original library does, and about the frozen vectors: weights are rounded to 8 bits.
func TestMiniLM(t *testing.T) {
	dir := filepath.Join(frozen.Dir(t), "models", "all-minilm-l6-v2")
	e, err := Open(dir, Options{Model: "model.fp16.safetensors", Pooling: "mean", MaxTokens: 256})
	if err != nil {
		t.Fatal(err)
	}
	known := frozen.Strings(t)
	texts := slices.Sorted(maps.Keys(known))[:100]
	v := encode(t, e, append([]string{"a dog", "a puppy", "tax law"}, texts...)).Vectors
	got := []float64{vec.Dot64(v[0], v[1]), vec.Dot64(v[0], v[2]), vec.Dot64(v[1], v[2])}
	for i, want := range []float64{0.769, 0.112, 0.047} {
		if math.Abs(got[i]-want) > 0.005 {
			t.Errorf("the cosines of a dog, a puppy and tax law are %.3f, want about %.3f at %d", got, want, i)
		}
	}
	for i, text := range texts {
		if c := vec.Dot64(v[3+i], known[text]); c < 0.999 {
			t.Errorf("%q has the cosine %.5f to its frozen vector", text, c)
		}
	}
}
