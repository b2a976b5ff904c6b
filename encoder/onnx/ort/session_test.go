package ort

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestLoadMistakes(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte("no library\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := load(text); err == nil {
		t.Error("a text file was loaded as a library")
	}
	for _, other := range []string{"/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"} {
		if _, err := os.Stat(other); err != nil || !strings.Contains(other, map[string]string{"amd64": "x86", "arm64": "aarch"}[runtime.GOARCH]) {
			continue
		}
		if _, err := load(other); err == nil || !strings.Contains(err.Error(), "it is not ONNX Runtime, it has no function OrtGetApiBase") {
			t.Errorf("%s: got error %v", other, err)
		}
	}
}

func TestOpenMistakes(t *testing.T) {
	r := open(t)
	good := write(t, double())
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cut, text := filepath.Join(folder, "cut.onnx"), filepath.Join(folder, "text.onnx")
	for path, content := range map[string][]byte{cut: data[:len(data)/2], text: []byte("not a model")} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got error %v", err)
	}
	for _, c := range []struct {
		path, want string
	}{
		{cut, "ONNX Runtime: "},
		{text, "ONNX Runtime: "},
		{folder, "it is a folder"},
		{"a\x00b", "a\x00b"},
	} {
		_, err := r.Open(c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("got error %v, want one containing %q and %q", err, c.path, c.want)
		}
	}
}

// TestExternalData opens a model with external weights from another directory.
func TestExternalData(t *testing.T) {
	r := open(t)
	weights := make([]float32, 64*64)
	for i := range weights {
		weights[i] = float32(i % 13)
	}
	run := func(external string) []float32 {
		g := &Graph{External: external}
		x := g.Input("x", Float32, 1, 64)
		g.Named("y", "MatMul", []string{x, g.Floats(weights, 64, 64)})
		g.Output("y", Float32, 1, 64)
		path := write(t, g)
		if info, err := os.Stat(path); err != nil || external != "" && info.Size() > 4*64*64 {
			t.Fatalf("the weights are in the model's file: %d bytes, %v", info.Size(), err)
		}
		s, err := r.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		out, err := s.Run(context.Background(), []Tensor{{Name: "x", Shape: []int64{1, 64}, Floats: weights[:64]}}, "y")
		if err != nil {
			t.Fatal(err)
		}
		return out.Floats
	}
	if inside, beside := run(""), run("weights.bin"); !reflect.DeepEqual(inside, beside) {
		t.Errorf("got %v with weights in the model file, %v with external weights", inside, beside)
	}
}

// Load is safe for concurrent use.
func TestLoadConcurrently(t *testing.T) {
	want := open(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if r, err := Load(); r != want {
				t.Errorf("got another runtime, or error %v", err)
			}
		})
	}
	all.Wait()
}
