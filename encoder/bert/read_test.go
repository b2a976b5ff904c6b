package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tiny is the architecture of the random models in encoder/onnx/testdata.
var tiny = Config{Hidden: 32, Layers: 2, Heads: 4, Inner: 64, Epsilon: 1e-12, Activation: "gelu"}

const tinyLimit = 24

func file(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join("../onnx/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func nothingBeside(string) ([]byte, error) { return nil, errors.New("no other file") }

// safetensors returns a file with the float32 weights of an ONNX file, with each number
// encoded by put, and with its matrices as PyTorch stores them.
func safetensors(t testing.TB, data []byte, kind string, put func([]byte, float32) []byte) []byte {
	tensors, err := readONNX(data, nothingBeside)
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var body []byte
	for name, w := range tensors {
		if w.kind.size != 4 || len(w.shape) == 0 || strings.HasPrefix(name, "val_") {
			continue
		}
		shape := slices.Clone(w.shape)
		rows, columns := 1, shape[0]
		if len(shape) == 2 {
			if w.transposed {
				slices.Reverse(shape)
			}
			rows, columns = shape[0], shape[1]
		}
		numbers, err := w.matrix(rows, columns)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		from := len(body)
		for _, x := range numbers {
			body = put(body, x)
		}
		header[name] = map[string]any{"dtype": kind, "shape": shape, "data_offsets": [2]int{from, len(body)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, body)
}

func asFloat32(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

func asBfloat16(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(x)>>16))
}

func vectorOf(t testing.TB, m *Model) []float32 {
	v, err := m.Vectors(t.Context(), [][]int32{{2, 9, 30, 17, 3}})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

// The same weights give the same vectors from an ONNX file and from safetensors.
func TestSafetensors(t *testing.T) {
	data := file(t, "bge/onnx/model.onnx")
	fromONNX, err := parse(data, true, nothingBeside, tiny, tinyLimit, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := vectorOf(t, fromONNX)
	for kind, put := range map[string]func([]byte, float32) []byte{"F32": asFloat32, "BF16": asBfloat16} {
		m, err := parse(safetensors(t, data, kind, put), false, nothingBeside, tiny, tinyLimit, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, distance := vectorOf(t, m), 1.0
		for i := range got {
			distance -= float64(got[i]) * float64(want[i])
		}
		if kind == "F32" && !slices.Equal(got, want) || distance > 1e-3 {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 1: 0x1p-24, 0x7bff: 65504, 0x3555: 0.33325195} {
		if got := half(bits); got != want {
			t.Errorf("%#x: got %v, want %v", bits, got, want)
		}
	}
	if !math.IsInf(float64(half(0xfc00)), -1) || half(0x7e00) == half(0x7e00) {
		t.Error("infinity or NaN are converted wrongly")
	}
}

func TestWhatIsRefused(t *testing.T) {
	model := file(t, "bge/onnx/model.onnx")
	safe := safetensors(t, model, "F32", asFloat32)
	change := func(f func(*Config)) Config { c := tiny; f(&c); return c }
	for name, c := range map[string]struct {
		data   []byte
		onnx   bool
		config Config
		limit  int
		want   string
	}{
		"nothing":               {nil, true, tiny, tinyLimit, "not an ONNX model"},
		"no safetensors":        {[]byte("version"), false, tiny, tinyLimit, "not a safetensors file"},
		"truncated":             {model[:len(model)/2], true, tiny, tinyLimit, ""},
		"truncated safetensors": {safe[:len(safe)-1], false, tiny, tinyLimit, "lies outside the file"},
		"too few layers":        {model, true, change(func(c *Config) { c.Layers = 3 }), tinyLimit, "the tensor encoder.layer.2.attention.self.query.weight is missing"},
		"another width":         {model, true, change(func(c *Config) { c.Hidden = 64 }), tinyLimit, "want"},
		"another inner width":   {model, true, change(func(c *Config) { c.Inner = 128 }), tinyLimit, "want 128 × 32"},
		"too many positions":    {model, true, tiny, 33, "it has 32 positions, config.json says 33"},
		"another graph":         {file(t, "clip/onnx/text_model.onnx"), true, tiny, tinyLimit, ""},
		"weights elsewhere":     {file(t, "e5/model.onnx"), true, tiny, tinyLimit, "no other file"},
	} {
		if _, err := parse(c.data, c.onnx, nothingBeside, c.config, c.limit, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want %q", name, err, c.want)
		}
	}
	for want, c := range map[string]Config{
		"heads":              {},
		"activation silu":    change(func(c *Config) { c.Activation = "silu" }),
		"relative_key posit": change(func(c *Config) { c.Positions = "relative_key" }),
		"a decoder":          change(func(c *Config) { c.Decoder = true }),
	} {
		if _, err := Read("model.onnx", c, tinyLimit, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want %q", err, want)
		}
	}
	if _, err := external(t.TempDir())("../weights"); err == nil || !strings.Contains(err.Error(), "outside the model's folder") {
		t.Errorf("got the error %v for a file in another folder", err)
	}
}

// A token that the model does not know is an error, not a panic.
func TestUnknownToken(t *testing.T) {
	m, err := parse(file(t, "bge/onnx/model.onnx"), true, nothingBeside, tiny, tinyLimit, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int32{-1, 355} {
		if _, err := m.Vectors(t.Context(), [][]int32{{2, id, 3}}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("token %d is not among the 355", id)) {
			t.Errorf("got the error %v for token %d", err, id)
		}
	}
}

func TestBatches(t *testing.T) {
	ids := func(lengths ...int) (out [][]int32) {
		for _, n := range lengths {
			out = append(out, make([]int32, n))
		}
		return out
	}
	for _, c := range []struct {
		lengths    []int
		processors int
		want       []span
	}{
		{nil, 2, nil},
		{[]int{300}, 2, []span{{0, 1}}},
		{[]int{10, 10}, 2, []span{{0, 1}, {1, 2}}},
		{[]int{10, 10, 10, 10}, 2, []span{{0, 2}, {2, 4}}},
		{[]int{200, 200, 50, 50}, 1, []span{{0, 1}, {1, 3}, {3, 4}}},
	} {
		if got := batches(ids(c.lengths...), 256, c.processors); !slices.Equal(got, c.want) {
			t.Errorf("%v on %d processors: got %v, want %v", c.lengths, c.processors, got, c.want)
		}
	}
}

// A file from elsewhere must not crash the program.
func FuzzRead(f *testing.F) {
	model := file(f, "bge/onnx/model.onnx")
	f.Add(model, true)
	f.Add(file(f, "quantized/onnx/model_quantized.onnx"), true)
	f.Add(file(f, "e5/model.onnx"), true)
	f.Add(safetensors(f, model, "F32", asFloat32), false)
	weights := file(f, "e5/model.onnx_data")
	beside := func(string) ([]byte, error) { return weights, nil }
	f.Fuzz(func(t *testing.T, data []byte, isONNX bool) {
		m, err := parse(data, isONNX, beside, tiny, tinyLimit, 0)
		if err != nil {
			return
		}
		_, _ = m.Vectors(t.Context(), [][]int32{{0, 1}}) // numbers may be too large
	})
}
