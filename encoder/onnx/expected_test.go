package onnx

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
)

// training/tiny.py created the models in testdata from transformers' own classes with few
// random weights. expected.json holds PyTorch's results for texts and pictures.

type expectation struct {
	Limit   int
	Pooling string
	Prompts map[string]string
	Texts   []struct {
		Role   string
		Text   string
		IDs    []int32
		Cut    bool
		Vector []float32
	}
	Pictures []struct {
		File   string
		Vector []float32
	}
}

func TestMain(m *testing.M) {
	// ONNX Runtime may be in the repository's cache.
	if cached, err := filepath.Abs("../../.cache/onnxruntime"); err == nil && os.Getenv("NSFL_ONNXRUNTIME") == "" {
		if _, err := os.Stat(cached); err == nil {
			os.Setenv("NSFL_ONNXRUNTIME", cached)
		}
	}
	os.Exit(m.Run())
}

// needRuntime skips the test if ONNX Runtime is missing.
func needRuntime(t testing.TB) {
	t.Helper()
	if _, err := ort.Find(); err != nil {
		t.Skipf("ONNX Runtime is missing: %v", err)
	}
}

// openTest opens a model of testdata.
func openTest(t testing.TB, name string, o Options) *Encoder {
	t.Helper()
	if name == "clip" || name == "siglip" {
		needRuntime(t)
	}
	folder := name
	if !filepath.IsAbs(folder) {
		folder = filepath.Join("testdata", name)
	}
	e, err := Open(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func expected(t testing.TB, name string) (x expectation) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// off returns the largest difference between two vectors in any dimension.
func off(a, b []float32) (worst float64) {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
	}
	return worst
}

// ONNX Runtime computes the vectors that PyTorch does. Package bert differs by rounding to 8 bits,
// which matters more in these models, of 32 dimensions, than in real ones.
func TestTextsAsPyTorchEncodesThem(t *testing.T) {
	roles := map[string]encoder.Role{"query": encoder.Query, "passage": encoder.Passage}
	for _, name := range []string{"bge", "e5", "xlmr", "quantized", "clip", "siglip"} {
		t.Run(name, func(t *testing.T) {
			folder, like := name, name
			if name == "quantized" {
				folder, like = quantized(t), "e5"
			}
			x := expected(t, like)
			e := openTest(t, folder, Options{})
			id := e.Identity()
			if id.MaxTokens != x.Limit || x.Pooling != "" && (id.Revision != int8Revision || id.Dimension != 32 || id.Pooling != x.Pooling) {
				t.Errorf("got the identity %+v, want %d tokens, pooling %s", id, x.Limit, x.Pooling)
			}
			worst, cut := 0.0, 0
			for _, want := range x.Texts {
				got, err := e.Encode(context.Background(), roles[want.Role], []string{want.Text})
				if err != nil {
					t.Fatal(err)
				}
				if ids, _ := e.tokenizer.Encode(id.Prefixes.Of(roles[want.Role])+want.Text, x.Limit); !slices.Equal(ids, want.IDs) {
					t.Errorf("%.30q: got tokens %v, want %v", want.Text, ids, want.IDs)
					continue
				}
				if got.Cut[0] != want.Cut {
					t.Errorf("%.30q: got cut %v, want %v", want.Text, got.Cut[0], want.Cut)
				}
				if want.Cut {
					cut++
				}
				if e.kernels != nil {
					worst = max(worst, 1-dot(got.Vectors[0], want.Vector))
				} else {
					worst = max(worst, off(got.Vectors[0], want.Vector))
				}
			}
			t.Logf("within %.2g", worst)
			if most := map[bool]float64{true: 2e-3, false: 1e-4}[e.kernels != nil]; worst > most {
				t.Errorf("differs from PyTorch by %g, want at most %g", worst, most)
			}
			if cut == 0 || len(x.Texts) < 9 {
				t.Errorf("got %d texts, %d of them cut: too few for a meaningful test", len(x.Texts), cut)
			}
			if off(x.Texts[0].Vector, x.Texts[1].Vector) < 0.01 {
				t.Error("the model gives different texts the same vector, which makes the test meaningless")
			}
		})
	}
}

func TestPicturesAsPyTorchEncodesThem(t *testing.T) {
	for _, name := range []string{"clip", "siglip"} {
		t.Run(name, func(t *testing.T) {
			e, x := openTest(t, name, Options{}), expected(t, name)
			if !e.HasPictures() {
				t.Fatal("got no pictures")
			}
			var files [][]byte
			for _, p := range x.Pictures {
				file, err := os.ReadFile(filepath.Join("../picture/testdata", p.File))
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
			}
			got, err := e.EncodePictures(context.Background(), files)
			if err != nil {
				t.Fatal(err)
			}
			worst := map[string]float64{}
			for i, p := range x.Pictures {
				if p.File == "grey16.png" {
					continue // PIL treats it as white; encoder/picture tests that
				}
				kind := filepath.Ext(p.File)
				worst[kind] = max(worst[kind], off(got[i], p.Vector))
				if d := off(got[i], p.Vector); kind == ".png" && d > 1e-4 || d > 0.05 {
					t.Errorf("%s: differs from PyTorch by %g", p.File, d)
				}
			}
			t.Logf("within %.2g (PNG), %.2g (JPEG)", worst[".png"], worst[".jpg"])
			if len(files) < 15 {
				t.Errorf("got only %d pictures", len(files))
			}
		})
	}
}
