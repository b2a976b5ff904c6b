package ort

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Run runs the model on values for all of its inputs and returns one of its outputs.
//
// When the context is done, the run stops before the model's next operator, and Run
// returns the context's error.
func (s *Session) Run(ctx context.Context, in []Tensor, output string) (Tensor, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := ctx.Err(); err != nil {
		return Tensor{}, err
	}
	out, err := s.run(ctx, in, output)
	if done := ctx.Err(); done != nil {
		return Tensor{}, done
	}
	if err != nil {
		return Tensor{}, fmt.Errorf("running the ONNX model %s: %w", s.model, err)
	}
	return out, nil
}

func (s *Session) run(ctx context.Context, in []Tensor, output string) (out Tensor, err error) {
	if s.session == nil {
		return out, errors.New("the session is closed")
	}
	a := s.runtime.api
	// ONNX Runtime reads the tensors in place.
	var pinned runtime.Pinner
	defer pinned.Unpin()
	values := make([]handle, len(in)+1) // the last is the output
	defer func() {
		for _, v := range values {
			if v != nil {
				a.ReleaseValue(v)
			}
		}
	}()
	names := make([]*byte, 0, len(values))
	for i := range in {
		data, bytes, kind, err := in[i].memory()
		if err == nil {
			pinned.Pin(data)
			err = a.check(a.CreateTensorWithDataAsOrtValue(s.runtime.memory, data, bytes,
				(*int64)(pointer(in[i].Shape)), uintptr(len(in[i].Shape)), kind, &values[i]))
		}
		if err != nil {
			return out, fmt.Errorf("the input %s: %w", in[i].Name, err)
		}
		names = append(names, chars(in[i].Name, &pinned))
	}
	if err := s.call(ctx, append(names, chars(output, &pinned)), values); err != nil {
		return out, err
	}
	out.Name = output
	if err := a.copyOut(&out, values[len(in)]); err != nil {
		return out, fmt.Errorf("the output %s: %w", output, err)
	}
	return out, nil
}

// call runs the model and stops early when the context is done. The last name and value are
// those of the output.
func (s *Session) call(ctx context.Context, names []*byte, values []handle) error {
	a, n := s.runtime.api, len(names)-1
	var options handle
	if err := a.check(a.CreateRunOptions(&options)); err != nil {
		return err
	}
	defer a.ReleaseRunOptions(options)

	told := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { told <- a.check(a.RunOptionsSetTerminate(options)) })
	err := a.check(a.Run(s.session, options,
		(**byte)(pointer(names)), (*handle)(pointer(values)), uintptr(n), &names[n], 1, &values[n]))
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
	if kind != Float32 {
		return fmt.Errorf("its elements are %s, which is not supported", kind)
	}
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	if err := a.check(a.GetTensorMutableData(value, &data)); err != nil {
		return err
	}
	t.Shape, t.Floats = shape, append(make([]float32, 0, n), unsafe.Slice((*float32)(data), n)...)
	return nil
}
