package ort

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/bertonnx"
)

func TestRun(t *testing.T) {
	s := session(t, open(t), double())
	ports := fmt.Sprint(s.Inputs(), s.Outputs())
	if want := "[x (float32 [? 2])] [y (float32 [? 2]) n (int64 [])]"; ports != want {
		t.Errorf("got inputs and outputs %s, want %s", ports, want)
	}
	y := Tensor{Name: "y", Shape: []int64{2, 2}, Floats: []float32{2, 4, 6, 8}}
	n := Tensor{Name: "n", Shape: []int64{}, Ints: []int64{4}}
	for _, c := range []struct {
		names []string
		want  []Tensor
	}{{nil, []Tensor{y, n}}, {[]string{"n", "y"}, []Tensor{n, y}}, {[]string{"n"}, []Tensor{n}}} {
		got, err := s.Run(context.Background(), rows(1, 2, 3, 4), c.names)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %v, %v, want %v", c.names, got, err, c.want)
		}
	}
}

// Tensors of every type survive a round trip.
func TestTypes(t *testing.T) {
	g := &bertonnx.Graph{}
	long := g.Input("long", bertonnx.Int64, 3)
	short := g.Input("short", bertonnx.Int32, 3)
	float := g.Input("float", bertonnx.Float32, "n")
	g.Named("a", "Cast", []string{long}, bertonnx.Attribute{Name: "to", Value: int(Int32)})
	g.Output("a", bertonnx.Int32, 3)
	g.Named("b", "Cast", []string{short}, bertonnx.Attribute{Name: "to", Value: int(Int64)})
	g.Output("b", bertonnx.Int64, 3)
	g.Named("c", "Cast", []string{float}, bertonnx.Attribute{Name: "to", Value: int(Float16)})
	g.Output("c", bertonnx.Float16, "n")
	g.Named("d", "Cast", []string{float}, bertonnx.Attribute{Name: "to", Value: 9})
	g.Output("d", 9, "n")
	s := session(t, open(t), g)

	in := []Tensor{
		{Name: "float", Shape: []int64{6}, Floats: []float32{-2.5, 65504, 3e-7, 1e9, float32(math.Copysign(0, -1)), 0.1}},
		{Name: "short", Shape: []int64{3}, Int32s: []int32{-1, 0, math.MaxInt32}},
		{Name: "long", Shape: []int64{3}, Ints: []int64{-5, 6, 7}},
	}
	out, err := s.Run(context.Background(), in, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Tensor{
		{Name: "a", Shape: []int64{3}, Int32s: []int32{-5, 6, 7}},
		{Name: "b", Shape: []int64{3}, Ints: []int64{-1, 0, math.MaxInt32}},
		{Name: "c", Shape: []int64{6}, Floats: []float32{-2.5, 65504, 5.0 / (1 << 24), float32(math.Inf(1)), float32(math.Copysign(0, -1)), 0.099975586}},
	}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("got %v, want %v", out, want)
	}
	if _, err := s.Run(context.Background(), in, []string{"d"}); err == nil || !strings.Contains(err.Error(), "the output d: its elements are bool, which is not supported") {
		t.Errorf("output of an unsupported type: got error %v", err)
	}
}

// Bad tensors are rejected: here if reading them could overrun, otherwise by ONNX Runtime.
func TestMisuse(t *testing.T) {
	s := session(t, open(t), double())
	tensor := func(shape []int64, floats ...float32) []Tensor {
		return []Tensor{{Name: "x", Shape: shape, Floats: floats}}
	}
	for _, c := range []struct {
		in    []Tensor
		names []string
		want  string
	}{
		{nil, nil, "ONNX Runtime: "},
		{[]Tensor{{Name: "z", Shape: []int64{1, 2}, Floats: []float32{1, 2}}}, nil, "ONNX Runtime: "},
		{[]Tensor{{Name: "x", Shape: []int64{1, 2}}}, nil, "0 elements for the shape [1 2], want 2"},
		{[]Tensor{{Name: "x", Shape: []int64{1, 2}, Ints: []int64{1, 2}}}, nil, "ONNX Runtime: "},
		{tensor([]int64{2}, 1, 2), nil, "ONNX Runtime: "},
		{tensor([]int64{1, 3}, 1, 2, 3), nil, "ONNX Runtime: "},
		{tensor([]int64{0, 2}, 1), nil, "bad shape [0 2]"},
		{tensor([]int64{-1, 2}, 1, 2), nil, "bad shape [? 2]"},
		{tensor([]int64{2, 2}, 1, 2), nil, "2 elements for the shape [2 2], want 4"},
		{tensor([]int64{math.MaxInt64, 2}, 1, 2), nil, "bad shape [9223372036854775807 2]"},
		{rows(1, 2), []string{"z"}, "ONNX Runtime: "},
	} {
		_, err := s.Run(context.Background(), c.in, c.names)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one containing %q", err, c.want)
		}
	}
	s.Close()
	if _, err := s.Run(context.Background(), rows(1, 2), nil); err == nil || !strings.Contains(err.Error(), "the session is closed") {
		t.Errorf("after Close: got error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: got error %v", err)
	}
}

// Errors that only ONNX Runtime can detect carry its message.
func TestFailingRun(t *testing.T) {
	g := &bertonnx.Graph{}
	a, b := g.Input("a", bertonnx.Float32, "n"), g.Input("b", bertonnx.Float32, "m")
	g.Named("sum", "Add", []string{a, b})
	g.Output("sum", bertonnx.Float32, "k")
	s := session(t, open(t), g)
	_, err := s.Run(context.Background(), []Tensor{
		{Name: "a", Shape: []int64{2}, Floats: []float32{1, 2}},
		{Name: "b", Shape: []int64{3}, Floats: []float32{1, 2, 3}},
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "ONNX Runtime: ") || !strings.Contains(err.Error(), s.model) {
		t.Errorf("adding 2 numbers to 3: got error %v", err)
	}
}

// long returns a model that runs for a good while: hundreds of matrix products.
func long() *bertonnx.Graph {
	const size, times = 512, 400
	g := &bertonnx.Graph{}
	x := g.Input("x", bertonnx.Float32, "rows", size)
	w := g.Floats(make([]float32, size*size), size, size)
	for range times {
		x = g.Node("MatMul", []string{x, w})
	}
	g.Named("y", "Identity", []string{x})
	g.Output("y", bertonnx.Float32, "rows", size)
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
	if _, err := s.run(ctx, in(1024), nil); err == nil || !strings.Contains(err.Error(), "terminate") {
		t.Errorf("terminated run: got error %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Run(ctx, in(1024), nil); err == nil || err.Error() != context.DeadlineExceeded.Error() {
		t.Errorf("got error %v, want the context's own error", err)
	}
	if _, err := s.Run(ctx, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("context done before the run: got error %v", err)
	}
	if _, err := s.Run(context.Background(), in(1), nil); err != nil {
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
				out, err := s.Run(context.Background(), rows(x, -x), []string{"y"})
				if err != nil {
					t.Error(err)
					return
				}
				if want := []float32{2 * x, -2 * x}; !reflect.DeepEqual(out[0].Floats, want) {
					t.Errorf("got %v, want %v", out[0].Floats, want)
				}
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	for range 4 {
		all.Go(func() {
			for {
				if _, err := s.Run(ctx, rows(1, 2), nil); err != nil {
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
