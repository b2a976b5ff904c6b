package onnx

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestExternal(t *testing.T) {
	for _, c := range []struct {
		folder, model string
		want          []string
	}{
		{"e5", "model.onnx", []string{"model.onnx_data"}},
		{"bge", filepath.Join("onnx", "model.onnx"), nil},
	} {
		got, err := folder(filepath.Join("testdata", c.folder)).external(c.model)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.folder, got, err, c.want)
		}
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
