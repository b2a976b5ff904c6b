package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// manyTexts returns texts of several lengths, each more than once, some of them too long.
func manyTexts() (texts []string) {
	for i := range 24 {
		texts = append(texts, strings.TrimSpace(strings.Repeat(fmt.Sprintf("dog %d cat ", i%5), 1+i%7)))
	}
	return append(texts, "", "dog", "a longer text "+strings.Repeat("that goes on ", 40), "dog")
}

// A vector depends only on its text, bit for bit: with other texts, in another order, on
// other threads.
func TestAVectorDependsOnItsTextAlone(t *testing.T) {
	for _, name := range []string{"bge", "e5", "clip", "siglip", "quantized"} {
		t.Run(name, func(t *testing.T) {
			folder := name
			if name == "quantized" {
				folder = quantized(t)
			}
			e := openTest(t, folder, Options{})
			texts := manyTexts()
			all := encode(t, e, texts)
			turned := slices.Clone(texts)
			slices.Reverse(turned)
			back := encode(t, e, turned)
			for i, text := range texts {
				alone := encode(t, e, []string{text}).Vectors[0]
				if !slices.Equal(alone, all.Vectors[i]) || !slices.Equal(alone, back.Vectors[len(texts)-1-i]) {
					t.Errorf("text %d has a different vector alone than with others", i)
				}
				if length := norm(alone); math.Abs(length-1) > 1e-6 {
					t.Errorf("text %d: got a vector of length %v, want 1", i, length)
				}
			}
		})
	}
}

// quantized returns a folder with an 8-bit model: e5 after ONNX Runtime's own quantization.
func quantized(t testing.TB) string {
	dir := copyFolder(t, "e5")
	for _, name := range []string{"model.onnx", "model.onnx_data"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/quantized")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestQuantizedModels(t *testing.T) {
	e := openTest(t, quantized(t), Options{})
	full := openTest(t, "e5", Options{})
	if full.Identity().Weights == e.Identity().Weights {
		t.Errorf("the full and the quantized model both have the identity %v", full.Identity())
	}
	texts := []string{"a dog on the beach"}
	if c := dot(encode(t, e, texts).Vectors[0], encode(t, full, texts).Vectors[0]); c < 0.98 || c == 1 {
		t.Errorf("unexpected cosine %v of the full and the quantized vector", c)
	}
}

func encode(t testing.TB, e *Encoder, texts []string) encoder.Encoded {
	t.Helper()
	out, err := e.Encode(context.Background(), encoder.Query, texts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func norm(v []float32) float64 { return math.Sqrt(dot(v, v)) }

func TestIdentity(t *testing.T) {
	got := openTest(t, "e5", Options{}).Identity()
	weights := got.Weights
	got.Weights = ""
	want := encoder.Identity{
		Name: "e5", Revision: int8Revision, Dimension: 32, Pooling: "mean", MaxTokens: 32,
		Prefixes: encoder.Prefixes{Query: "query: ", Document: "passage: ", Passage: "passage: "},
	}
	if got != want || len(weights) != 64 {
		t.Errorf("got %+v with weights %q, want %+v", got, weights, want)
	}
	got = openTest(t, "e5", Options{
		Name: "mine", Pooling: "cls", MaxTokens: 9, Prefixes: &encoder.Prefixes{Query: "q "},
	}).Identity()
	want = encoder.Identity{
		Name: "mine", Revision: int8Revision, Dimension: 32, Pooling: "cls", MaxTokens: 9, Prefixes: encoder.Prefixes{Query: "q "}, Weights: weights,
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for name, pooling := range map[string]string{"clip": "text_embeds", "siglip": "pooler_output", "bge": "cls"} {
		if got := openTest(t, name, Options{}).Identity().Pooling; got != pooling {
			t.Errorf("%s: got pooling %q, want %q", name, got, pooling)
		}
	}
}

// Options change the vectors, and can replace the folder's own settings files, as a
// preset's options do.
func TestOptionsOverrule(t *testing.T) {
	texts := []string{"a dog on the beach"}
	usual := encode(t, openTest(t, "e5", Options{}), texts).Vectors[0]
	for name, o := range map[string]Options{
		"pooling": {Pooling: "cls"}, "prefixes": {Prefixes: &encoder.Prefixes{}}, "tokens": {MaxTokens: 4},
	} {
		if slices.Equal(encode(t, openTest(t, "e5", o), texts).Vectors[0], usual) {
			t.Errorf("%s: the vector did not change", name)
		}
	}
	dir := copyFolder(t, "bge")
	for _, name := range []string{"modules.json", "1_Pooling", "config_sentence_transformers.json", "sentence_bert_config.json"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	preset, err := PresetByName("bge-large-en-v1.5")
	if err != nil {
		t.Fatal(err)
	}
	o := preset.Options()
	o.MaxTokens = 24
	bare := openTest(t, dir, o)
	full := openTest(t, "bge", Options{Prefixes: &preset.Prefixes})
	if !slices.Equal(encode(t, bare, texts).Vectors[0], encode(t, full, texts).Vectors[0]) {
		t.Error("a preset gives a different vector than the folder's own files")
	}
}

func TestCancelAndClose(t *testing.T) {
	e := openTest(t, "clip", Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := e.Encode(ctx, encoder.Query, manyTexts()); !errors.Is(err, context.Canceled) || out.Vectors != nil {
		t.Errorf("cancelled: got vectors %v, error %v", out.Vectors, err)
	}
	if _, err := e.Encode(context.Background(), encoder.Role(9), []string{"dog"}); err == nil {
		t.Error("an unknown role was accepted")
	}
	if out := encode(t, e, nil); len(out.Vectors) != 0 {
		t.Errorf("got %d vectors for no texts, want 0", len(out.Vectors))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := e.Encode(context.Background(), encoder.Passage, manyTexts()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	if _, err := e.Encode(context.Background(), encoder.Query, []string{"dog"}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("encoding after Close: got error %v", err)
	}
}

func TestPictureErrors(t *testing.T) {
	e := openTest(t, "bge", Options{})
	if _, err := e.EncodePictures(context.Background(), nil); err == nil || e.HasPictures() || !strings.Contains(err.Error(), "texts only") {
		t.Errorf("pictures with a text encoder: got HasPictures %v, error %v", e.HasPictures(), err)
	}
	e = openTest(t, "clip", Options{})
	good, err := os.ReadFile("../picture/testdata/rgb.png")
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.EncodePictures(context.Background(), [][]byte{good, []byte("GIF89a")})
	if err == nil || !strings.Contains(err.Error(), "encoding picture 1 with clip") || !strings.Contains(err.Error(), "neither PNG nor JPEG") {
		t.Errorf("GIF: got error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.EncodePictures(ctx, [][]byte{good}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.EncodePictures(context.Background(), [][]byte{good}); err == nil {
		t.Error("pictures were encoded after Close")
	}
}
