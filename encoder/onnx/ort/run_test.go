package ort

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	s := session(t, open(t), double())
	ports := fmt.Sprint(s.Inputs(), s.Outputs())
	if want := "[x (float32 [? 2])] [y (float32 [? 2]) n (int64 [])]"; ports != want {
		t.Errorf("got inputs and outputs %s, want %s", ports, want)
	}
	got, err := s.Run(context.Background(), rows(1, 2, 3, 4), "y")
	if want := (Tensor{Name: "y", Shape: []int64{2, 2}, Floats: []float32{2, 4, 6, 8}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if _, err := s.Run(context.Background(), rows(1, 2), "n"); err == nil || !strings.Contains(err.Error(), "the output n: its elements are int64, which is not supported") {
		t.Errorf("output of an unsupported type: got error %v", err)
	}
}

// Inputs of every type arrive.
func TestTypes(t *testing.T) {
	g := &Graph{}
	long := g.Input("long", Int64, 3)
	float := g.Input("float", Float32, 3)
	g.Named("cast", "Cast", []string{long}, Attribute{Name: "to", Value: int(Float32)})
	g.Named("sum", "Add", []string{"cast", float})
	g.Output("sum", Float32, 3)
	out, err := session(t, open(t), g).Run(context.Background(), []Tensor{
		{Name: "float", Shape: []int64{3}, Floats: []float32{-2.5, 65504, 0.5}},
		{Name: "long", Shape: []int64{3}, Ints: []int64{-5, 6, 7}},
	}, "sum")
	if want := []float32{-7.5, 65510, 7.5}; err != nil || !slices.Equal(out.Floats, want) {
		t.Errorf("got %v, %v, want %v", out.Floats, err, want)
	}
}

// Bad tensors are rejected: here if reading them could overrun, otherwise by ONNX Runtime.
func TestMisuse(t *testing.T) {
	s := session(t, open(t), double())
	tensor := func(shape []int64, floats ...float32) []Tensor {
		return []Tensor{{Name: "x", Shape: shape, Floats: floats}}
	}
	for _, c := range []struct {
		in   []Tensor
		out  string
		want string
	}{
		{nil, "y", "ONNX Runtime: "},
		{[]Tensor{{Name: "z", Shape: []int64{1, 2}, Floats: []float32{1, 2}}}, "y", "ONNX Runtime: "},
		{[]Tensor{{Name: "x", Shape: []int64{1, 2}}}, "y", "0 elements for the shape [1 2], want 2"},
		{[]Tensor{{Name: "x", Shape: []int64{1, 2}, Ints: []int64{1, 2}}}, "y", "ONNX Runtime: "},
		{tensor([]int64{2}, 1, 2), "y", "ONNX Runtime: "},
		{tensor([]int64{1, 3}, 1, 2, 3), "y", "ONNX Runtime: "},
		{tensor([]int64{0, 2}, 1), "y", "bad shape [0 2]"},
		{tensor([]int64{-1, 2}, 1, 2), "y", "bad shape [? 2]"},
		{tensor([]int64{2, 2}, 1, 2), "y", "2 elements for the shape [2 2], want 4"},
		{tensor([]int64{math.MaxInt64, 2}, 1, 2), "y", "bad shape [9223372036854775807 2]"},
		{rows(1, 2), "z", "ONNX Runtime: "},
	} {
		_, err := s.Run(context.Background(), c.in, c.out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one containing %q", err, c.want)
		}
	}
	s.Close()
	if _, err := s.Run(context.Background(), rows(1, 2), "y"); err == nil || !strings.Contains(err.Error(), "the session is closed") {
		t.Errorf("after Close: got error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: got error %v", err)
	}
}

// Errors that only ONNX Runtime can detect carry its message.
func TestFailingRun(t *testing.T) {
	g := &Graph{}
	a, b := g.Input("a", Float32, "n"), g.Input("b", Float32, "m")
	g.Named("sum", "Add", []string{a, b})
	g.Output("sum", Float32, "k")
	s := session(t, open(t), g)
	_, err := s.Run(context.Background(), []Tensor{
		{Name: "a", Shape: []int64{2}, Floats: []float32{1, 2}},
		{Name: "b", Shape: []int64{3}, Floats: []float32{1, 2, 3}},
	}, "sum")
	if err == nil || !strings.Contains(err.Error(), "ONNX Runtime: ") || !strings.Contains(err.Error(), s.model) {
		t.Errorf("adding 2 numbers to 3: got error %v", err)
	}
}

// long returns a model that runs for a good while: hundreds of matrix products.
func long() *Graph {
	const size, times = 512, 400
	g := &Graph{}
	x := g.Input("x", Float32, "rows", size)
	w := g.Floats(make([]float32, size*size), size, size)
	for range times {
		x = g.Node("MatMul", []string{x, w})
	}
	g.Named("y", "Identity", []string{x})
	g.Output("y", Float32, "rows", size)
	return g
}

// ONNX Runtime ends a run when its context is done, and the session remains usable.
func TestCancel(t *testing.T) {
	s := session(t, open(t), long())
	in := func(n int64) []Tensor {
		return []Tensor{{Name: "x", Shape: []int64{n, 512}, Floats: make([]float32, n*512)}}
	}

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.run(ctx, in(1024), "y"); err == nil || !strings.Contains(err.Error(), "terminate") {
		t.Errorf("terminated run: got error %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Run(ctx, in(1024), "y"); err == nil || err.Error() != context.DeadlineExceeded.Error() {
		t.Errorf("got error %v, want the context's own error", err)
	}
	if _, err := s.Run(ctx, nil, "y"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("context done before the run: got error %v", err)
	}
	if _, err := s.Run(context.Background(), in(1), "y"); err != nil {
		t.Errorf("next run: got error %v", err)
	}
}

// TestConcurrent runs one session from many goroutines, and closes it meanwhile.
func TestConcurrent(t *testing.T) {
	s := session(t, open(t), double())
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 200 {
				x := float32(w*1000 + i)
				out, err := s.Run(context.Background(), rows(x, -x), "y")
				if err != nil {
					t.Error(err)
					return
				}
				if want := []float32{2 * x, -2 * x}; !reflect.DeepEqual(out.Floats, want) {
					t.Errorf("got %v, want %v", out.Floats, want)
				}
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	for range 4 {
		all.Go(func() {
			for {
				if _, err := s.Run(ctx, rows(1, 2), "y"); err != nil {
					if !strings.Contains(err.Error(), "the session is closed") && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	s.Close()
	cancel()
	all.Wait()
}
