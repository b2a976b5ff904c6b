package ort

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Run runs the model on values for all of its inputs. It returns the named outputs in
// that order, or all outputs if outputs is empty.
//
// When the context is done, the run stops before the model's next operator, and Run
// returns the context's error.
func (s *Session) Run(ctx context.Context, in []Tensor, outputs []string) ([]Tensor, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := s.run(ctx, in, outputs)
	if done := ctx.Err(); done != nil {
		return nil, done
	}
	if err != nil {
		return nil, fmt.Errorf("running the ONNX model %s: %w", s.model, err)
	}
	return out, nil
}

func (s *Session) run(ctx context.Context, in []Tensor, outputs []string) ([]Tensor, error) {
	if s.session == nil {
		return nil, errors.New("the session is closed")
	}
	if len(outputs) == 0 {
		for _, p := range s.outputs {
			outputs = append(outputs, p.Name)
		}
	}
	a := s.runtime.api
	// ONNX Runtime reads the tensors in place.
	var pinned runtime.Pinner
	defer pinned.Unpin()
	values := make([]handle, len(in)+len(outputs))
	defer func() {
		for _, v := range values {
			if v != nil {
				a.ReleaseValue(v)
			}
		}
	}()
	given, results := values[:len(in)], values[len(in):]
	names := make([]*byte, 0, len(values))
	for i := range in {
		data, bytes, kind, err := in[i].memory()
		if err == nil {
			pinned.Pin(data)
			err = a.check(a.CreateTensorWithDataAsOrtValue(s.runtime.memory, data, bytes,
				(*int64)(pointer(in[i].Shape)), uintptr(len(in[i].Shape)), kind, &given[i]))
		}
		if err != nil {
			return nil, fmt.Errorf("the input %s: %w", in[i].Name, err)
		}
		names = append(names, chars(in[i].Name, &pinned))
	}
	for _, name := range outputs {
		names = append(names, chars(name, &pinned))
	}

	if err := s.call(ctx, names, given, results); err != nil {
		return nil, err
	}
	out := make([]Tensor, len(outputs))
	for i, name := range outputs {
		out[i].Name = name
		if err := a.copyOut(&out[i], results[i]); err != nil {
			return nil, fmt.Errorf("the output %s: %w", name, err)
		}
	}
	return out, nil
}

// call runs the model and stops early when the context is done.
func (s *Session) call(ctx context.Context, names []*byte, given, results []handle) error {
	a := s.runtime.api
	var options handle
	if err := a.check(a.CreateRunOptions(&options)); err != nil {
		return err
	}
	defer a.ReleaseRunOptions(options)

	told := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { told <- a.check(a.RunOptionsSetTerminate(options)) })
	first := func(elements []handle) *handle { return (*handle)(pointer(elements)) }
	err := a.check(a.Run(s.session, options,
		(**byte)(pointer(names)), first(given), uintptr(len(given)),
		(**byte)(pointer(names[len(given):])), uintptr(len(results)), first(results)))
	if !stop() {
		err = errors.Join(err, <-told) // wait until the options are no longer used
	}
	return err
}

// chars returns a C string in pinned memory.
func chars(s string, pinned *runtime.Pinner) *byte {
	b := append([]byte(s), 0)
	pinned.Pin(&b[0])
	return &b[0]
}

// copyOut copies a value owned by ONNX Runtime into a tensor.
func (a *api) copyOut(t *Tensor, value handle) error {
	var info, data handle
	if err := a.check(a.GetTensorTypeAndShape(value, &info)); err != nil {
		return err
	}
	kind, shape, err := a.shape(info)
	a.ReleaseTensorTypeAndShapeInfo(info)
	if err != nil {
		return err
	}
	t.Shape = shape
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	if err := a.check(a.GetTensorMutableData(value, &data)); err != nil {
		return err
	}
	switch kind {
	case Float32:
		t.Floats = clone((*float32)(data), n)
	case Int64:
		t.Ints = clone((*int64)(data), n)
	case Int32:
		t.Int32s = clone((*int32)(data), n)
	case Float16:
		t.Floats = make([]float32, n)
		for i, h := range unsafe.Slice((*uint16)(data), n) {
			t.Floats[i] = half(h)
		}
	default:
		return fmt.Errorf("its elements are %s, which is not supported", kind)
	}
	return nil
}

// clone copies n elements from memory outside Go. The result is never nil.
func clone[T any](from *T, n int) []T {
	return append(make([]T, 0, n), unsafe.Slice(from, n)...)
}
