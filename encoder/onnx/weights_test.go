package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLocations(t *testing.T) {
	for name, want := range map[string][]string{
		"e5/model.onnx":       {"model.onnx_data"},
		"bge/onnx/model.onnx": nil,
	} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := locations(bytes.NewReader(file), int64(len(file)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

func TestMissingWeights(t *testing.T) {
	dir := copyFolder(t, "e5")
	if err := os.Remove(filepath.Join(dir, "model.onnx_data")); err != nil {
		t.Fatal(err)
	}
	if _, err := folder(dir).external("model.onnx"); err == nil || !strings.Contains(err.Error(), "refers to weights in model.onnx_data, which is missing") {
		t.Errorf("got error %v, want one about the missing file", err)
	}
}

// The hash depends on all files that determine vectors, and on no others.
func TestWeightsAreThoseOfAllFiles(t *testing.T) {
	sum := func(dir string) string {
		s, err := folder(dir).weights([]string{"model.onnx", "tokenizer.json"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := sum(copyFolder(t, "e5"))
	for name, decides := range map[string]bool{"model.onnx_data": true, "tokenizer.json": true, "expected.json": false} {
		dir := copyFolder(t, "e5")
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-1] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if changed := sum(dir) != before; changed != decides {
			t.Errorf("%s: got changed %v, want %v", name, changed, decides)
		}
	}
}

// copyFolder copies a model of testdata, to be modified.
func copyFolder(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func FuzzLocations(f *testing.F) {
	file, err := os.ReadFile("testdata/e5/model.onnx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(file[:len(file)/2])
	// A model whose graph has an initializer in an external file.
	entry := []byte("\x6a\x13\x0a\x08location\x12\x07weights")
	tensor := append([]byte{5<<3 | 2, byte(len(entry))}, entry...)
	f.Add(append([]byte{7<<3 | 2, byte(len(tensor))}, tensor...))
	f.Fuzz(func(t *testing.T, file []byte) {
		found, err := locations(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		for _, name := range found {
			if !bytes.Contains(file, []byte(name)) {
				t.Errorf("%q is not in the file", name)
			}
		}
	})
}
