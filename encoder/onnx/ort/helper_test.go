package ort

import (
	"path/filepath"
	"testing"
)

// open loads ONNX Runtime, or skips the test if it is not installed.
func open(t testing.TB) *Runtime {
	r, err := Load()
	if err != nil {
		t.Skip(err)
	}
	return r
}

// session opens a graph as a model.
func session(t testing.TB, r *Runtime, g *Graph) *Session {
	s, err := r.Open(write(t, g))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t testing.TB, g *Graph) string {
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := g.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// double returns a model with the outputs y = 2x and n, the size of x.
func double() *Graph {
	g := &Graph{}
	x := g.Input("x", Float32, "rows", 2)
	g.Named("y", "Add", []string{x, x})
	g.Named("n", "Size", []string{x})
	g.Output("y", Float32, "rows", 2)
	g.Output("n", Int64)
	return g
}

func rows(values ...float32) []Tensor {
	return []Tensor{{Name: "x", Shape: []int64{int64(len(values) / 2), 2}, Floats: values}}
}
