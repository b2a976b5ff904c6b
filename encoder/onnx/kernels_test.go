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

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// With real weights, vectors agree with those of ONNX Runtime in full precision. The models
// are those that nsfl model pull has installed.
func TestKernelsAsONNXRuntime(t *testing.T) {
	for _, p := range Presets() {
		t.Run(filepath.Base(p.Name), func(t *testing.T) {
			if p.Pictures {
				t.Skip("package bert does not run it")
			}
			ours, err := Open(installed(t, p), p.Options())
			if err != nil {
				t.Fatal(err)
			}
			texts := fixtureTexts(t)
			got, want := encode(t, ours, texts).Vectors, openPeer(t, ours, installed(t, p)).encode(t, texts)
			worst, sum := 0.0, 0.0
			for i := range texts {
				distance := 1 - dot(got[i], want[i])
				worst, sum = max(worst, distance), sum+distance
				if distance > 1e-3 {
					t.Errorf("%.60q: cosine to ONNX Runtime's vector 1 - %.1e", texts[i], distance)
				}
			}
			t.Logf("%d texts: largest distance 1 - cos = %.1e, mean %.1e", len(texts), worst, sum/float64(len(texts)))
		})
	}
}

// peer runs the text model of an encoder in ONNX Runtime, in full precision.
type peer struct {
	*Encoder
	session *ort.Session
}

func openPeer(t testing.TB, e *Encoder, dir string) peer {
	needRuntime(t)
	r, err := ort.Load()
	if err != nil {
		t.Fatal(err)
	}
	name, err := folder(dir).model("", "model", ".onnx")
	if err != nil {
		t.Skip(err)
	}
	session, err := r.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return peer{e, session}
}

// encode encodes texts one by one.
func (p peer) encode(t testing.TB, texts []string) (vectors [][]float32) {
	for _, text := range texts {
		tokens, _ := p.tokenizer.Encode(p.identity.Prefixes.Query+text, p.identity.MaxTokens)
		values := map[string][]int64{
			"input_ids": make([]int64, len(tokens)), "attention_mask": slices.Repeat([]int64{1}, len(tokens)),
			"token_type_ids": make([]int64, len(tokens)),
		}
		for i, id := range tokens {
			values["input_ids"][i] = int64(id)
		}
		var in []ort.Tensor
		for _, port := range p.session.Inputs() {
			in = append(in, ort.Tensor{Name: port.Name, Shape: []int64{1, int64(len(tokens))}, Ints: values[port.Name]})
		}
		out, err := p.session.Run(t.Context(), in, "last_hidden_state")
		if err != nil {
			t.Fatal(err)
		}
		vector := make([]float32, p.identity.Dimension)
		pooled := len(tokens)
		if p.identity.Pooling == "cls" {
			pooled = 1
		}
		for i := range pooled {
			vec.AddScaled(vector, out.Floats[i*len(vector):][:len(vector)], 1)
		}
		if err := vec.Normalize(vector); err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, vector)
	}
	return vectors
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
