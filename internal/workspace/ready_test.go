package workspace

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"math"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/vec"
)

var updateVectors = flag.Bool("update-vectors", false, "write the vectors of the demo")

// noting is an encoder that records its texts and returns no vectors.
type noting struct {
	encoder.Encoder
	texts []string
}

func (n *noting) Encode(_ context.Context, _ encoder.Role, texts []string) (out encoder.Encoded, err error) {
	for _, text := range texts {
		n.texts = append(n.texts, text)
		v := make([]float32, n.Identity().Dimension)
		v[0] = 1
		out.Vectors, out.Cut = append(out.Vectors, v), append(out.Cut, false)
	}
	return out, nil
}

// demoTexts returns all texts that are encoded to fill the demo.
func demoTexts(t *testing.T, e encoder.Encoder) []string {
	t.Helper()
	n := &noting{Encoder: e}
	docs, err := demoDocuments()
	if err != nil {
		t.Fatal(err)
	}
	c, err := nsfl.Open(t.Context(), t.TempDir(), &nsfl.Config{Encoder: n})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Encode(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	return n.texts
}

// TestDemoVectors: the embedded vectors cover the demo and equal those of the encoder.
// -update-vectors rewrites them.
func TestDemoVectors(t *testing.T) {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	texts := demoTexts(t, e)
	if *updateVectors {
		file, err := hex.DecodeString(e.Identity().Weights)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := e.Encode(t.Context(), encoder.Passage, texts)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i, v := range encoded.Vectors {
			key := keyOf(texts[i])
			if seen[key] {
				continue
			}
			seen[key] = true
			codes := make([]int8, len(v))
			scale := vec.Quantize8(codes, v)
			file = binary.LittleEndian.AppendUint32(append(file, key...), math.Float32bits(scale))
			for _, c := range codes {
				file = append(file, byte(c))
			}
		}
		if err := os.WriteFile("demo.vectors", file, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	r, ok := withVectors(e, demoVectors).(*precomputed)
	if !ok {
		t.Fatal("the vectors are another encoder's: go test ./internal/workspace -run DemoVectors -update-vectors")
	}
	if len(r.known) > len(texts) {
		t.Errorf("%d vectors of %d texts", len(r.known), len(texts))
	}
	var some []string
	for i, text := range texts {
		if r.known[keyOf(text)] == "" {
			t.Fatalf("%q has no vector: go test ./internal/workspace -run DemoVectors -update-vectors", text)
		}
		if i%20 == 0 {
			some = append(some, text)
		}
	}
	want, err := e.Encode(t.Context(), encoder.Passage, some)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Encode(t.Context(), encoder.Passage, append(some, "no text of the demo"))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want.Vectors {
		if cosine := vec.Dot64(v, got.Vectors[i]); cosine < 0.9998 {
			t.Errorf("%q: cosine %.5f to the encoder's vector", some[i], cosine)
		}
	}
	if len(got.Vectors[len(some)]) != e.Identity().Dimension {
		t.Error("a text that is not known has no vector")
	}
}

func TestVectorsOfAnother(t *testing.T) {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", "short", demoVectors[:len(demoVectors)-1], "X" + demoVectors[1:]} {
		if withVectors(e, file) != encoder.Encoder(e) {
			t.Errorf("a file of %d bytes is taken", len(file))
		}
	}
}
