package onnx

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// Package bert computes the vectors of the random models that PyTorch does, up to rounding to
// 8 bits. It matters more in these models, of 32 dimensions, than in real ones.
func TestKernelsAsPyTorchEncodes(t *testing.T) {
	roles := map[string]encoder.Role{"query": encoder.Query, "passage": encoder.Passage}
	for _, name := range []string{"bge", "e5", "xlmr", "quantized"} {
		t.Run(name, func(t *testing.T) {
			folder, model := filepath.Join("testdata", name), name
			if name == "quantized" {
				folder, model = quantized(t), "e5"
			}
			x := expected(t, model)
			e, err := Open(folder, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if id := e.Identity(); id.MaxTokens != x.Limit || id.Revision != int8Revision || id.Dimension != 32 || id.Pooling != x.Pooling {
				t.Errorf("got the identity %+v, want %d tokens, pooling %s, revision %s", id, x.Limit, x.Pooling, int8Revision)
			}
			worst := 0.0
			for _, want := range x.Texts {
				got, err := e.Encode(t.Context(), roles[want.Role], []string{want.Text})
				if err != nil {
					t.Fatal(err)
				}
				if got.Cut[0] != want.Cut {
					t.Errorf("%.30q: got cut %v, want %v", want.Text, got.Cut[0], want.Cut)
				}
				worst = max(worst, 1-dot(got.Vectors[0], want.Vector))
			}
			t.Logf("largest distance 1 - cos = %.1e", worst)
			if worst > 2e-3 {
				t.Errorf("the largest distance to PyTorch's vectors is 1 - cos = %.1e, want at most 2e-3", worst)
			}
		})
	}
}

// With real weights, vectors agree with those of ONNX Runtime in full precision. The models
// are those that nsfl model pull has installed.
func TestKernelsAsONNXRuntime(t *testing.T) {
	for _, p := range Presets() {
		t.Run(filepath.Base(p.Name), func(t *testing.T) {
			if p.Pictures || p.Repository == "" {
				t.Skip("its model is not of the BERT family")
			}
			o := p.Options()
			ours, err := Open(installed(t, p), o)
			if err != nil {
				t.Fatal(err)
			}
			o.FullPrecision, o.Runtime = true, library(t)
			theirs, err := Open(installed(t, p), o)
			if err != nil {
				t.Fatal(err)
			}
			defer theirs.Close()
			texts := fixtureTexts(t)
			got, want := encode(t, ours, texts), encode(t, theirs, texts)
			worst, sum := 0.0, 0.0
			for i := range texts {
				distance := 1 - dot(got.Vectors[i], want.Vectors[i])
				worst, sum = max(worst, distance), sum+distance
				if distance > 1e-3 {
					t.Errorf("%.60q: cosine to ONNX Runtime's vector 1 - %.1e", texts[i], distance)
				}
			}
			t.Logf("%d texts: largest distance 1 - cos = %.1e, mean %.1e", len(texts), worst, sum/float64(len(texts)))
		})
	}
}

// installed returns the folder of a pulled model.
func installed(t testing.TB, p Preset) string {
	dir := os.Getenv("NSFL_MODELS")
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			t.Skip(err)
		}
		dir = filepath.Join(caches, "nsfl", "models")
	}
	dir = filepath.Join(dir, filepath.FromSlash(p.Name))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the model is not installed: run nsfl model pull %s", p.Name)
	}
	return dir
}

// fixtureTexts returns the thousand texts that the built-in encoder is tested with.
func fixtureTexts(t testing.TB) (texts []string) {
	f, err := os.Open("../builtin/testdata/fixture.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, line.Text)
	}
	if len(texts) != 1000 || lines.Err() != nil {
		t.Fatalf("got %d texts, %v, want 1000", len(texts), lines.Err())
	}
	return texts
}

// A folder with vocab.txt in place of tokenizer.json gives the same vectors, unless the model
// distinguishes capitals.
func TestVocabularyFile(t *testing.T) {
	dir := copyFolder(t, "bge")
	want, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "tokenizer.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	words := make([]string, len(file.Model.Vocab))
	for word, id := range file.Model.Vocab {
		words[id] = word
	}
	vocabulary := strings.Join(words, "\n") + "\n"
	if err := errors.Join(os.Remove(path), os.WriteFile(filepath.Join(dir, "vocab.txt"), []byte(vocabulary), 0o600)); err != nil {
		t.Fatal(err)
	}
	got, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"A dog on the beach", "Café, 12 words"}
	a, b := encode(t, got, texts), encode(t, want, texts)
	for i := range texts {
		if !slices.Equal(a.Vectors[i], b.Vectors[i]) {
			t.Errorf("%q: the vectors differ", texts[i])
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(`{"do_lower_case": false, "model_max_length": 24}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "tokenizer.json is missing") {
		t.Errorf("got the error %v for a model that distinguishes capitals", err)
	}
}
