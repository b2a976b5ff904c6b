package builtin

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// example is a line of the fixture written by training/fixture.py: a text, its tokens and
// the vector PyTorch computes with the same weights.
type example struct {
	Text   string
	IDs    []int32
	Vector []byte // int8, to be scaled to length 1
}

func fixture(tb testing.TB) (examples []example) {
	f, err := os.Open("testdata/fixture.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			tb.Fatal(err)
		}
		examples = append(examples, e)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return examples
}

func texts(examples []example) (out []string) {
	for _, e := range examples {
		out = append(out, e.Text)
	}
	return out
}

func open(tb testing.TB) *Encoder {
	e, err := New()
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func encode(tb testing.TB, e *Encoder, texts ...string) encoder.Encoded {
	out, err := e.Encode(context.Background(), encoder.Document, texts)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestFixture compares vectors with PyTorch's for the same weights. The fixture stores
// them as int8, and that rounding alone costs about 5e-5. The weights are those of revision 1;
// TestONNXRuntime checks the newest ones.
func TestFixture(t *testing.T) {
	e, err := Revision("1")
	if err != nil {
		t.Fatal(err)
	}
	examples := fixture(t)
	if len(examples) != 1000 {
		t.Fatalf("got %d texts, want 1000", len(examples))
	}
	for i := range examples {
		ids, _ := e.tokens.Encode(examples[i].Text, e.model.Limit)
		if !slices.Equal(ids, examples[i].IDs) {
			t.Errorf("%q: tokens %v, want %v", examples[i].Text, ids, examples[i].IDs)
		}
	}
	if slow {
		examples = slices.Concat(examples[:40], examples[600:640], examples[900:905])
	}
	encoded := encode(t, e, texts(examples)...)
	worst := 0.0
	for i, x := range examples {
		want := make([]float32, len(x.Vector))
		for j, b := range x.Vector {
			want[j] = float32(int8(b))
		}
		if err := vec.Normalize(want); err != nil {
			t.Fatal(err)
		}
		distance := 1 - vec.Dot64(encoded.Vectors[i], want)
		worst = max(worst, distance)
		if distance > 2e-4 {
			t.Errorf("%q: cosine to PyTorch's vector 1 - %.1e", x.Text, distance)
		}
	}
	t.Logf("largest distance 1 - cos = %.2e", worst)
}
