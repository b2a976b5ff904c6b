package ort

import (
	"fmt"
	"os"
	"slices"
	"sync"
)

// Session is a loaded model. It is safe for concurrent use.
type Session struct {
	runtime         *Runtime
	model           string
	inputs, outputs []Port

	mu      sync.RWMutex // held for reading while the model runs
	session handle       // nil when closed
}

// Open loads a model from its file. External weight files are looked up next to the model.
func (r *Runtime) Open(model string) (*Session, error) {
	s := &Session{runtime: r, model: model}
	if err := s.open(); err != nil {
		if s.session != nil {
			r.api.ReleaseSession(s.session)
		}
		return nil, fmt.Errorf("opening the ONNX model %s: %w", model, err)
	}
	return s, nil
}

func (s *Session) open() error {
	if info, err := os.Stat(s.model); err != nil {
		return err
	} else if info.IsDir() {
		return fmt.Errorf("it is a folder; give the model file in it")
	}
	path, err := nativePath(s.model)
	if err != nil {
		return err
	}
	a := s.runtime.api
	var options handle
	if err := a.check(a.CreateSessionOptions(&options)); err != nil {
		return err
	}
	defer a.ReleaseSessionOptions(options)
	if err := a.check(a.SetIntraOpNumThreads(options, 1)); err != nil {
		return err
	}
	if err := a.check(a.CreateSession(s.runtime.env, path, options, &s.session)); err != nil {
		return err
	}
	s.inputs, err = s.ports(a.SessionGetInputCount, a.SessionGetInputName, a.SessionGetInputTypeInfo)
	if err != nil {
		return err
	}
	s.outputs, err = s.ports(a.SessionGetOutputCount, a.SessionGetOutputName, a.SessionGetOutputTypeInfo)
	return err
}

// ports lists the inputs or the outputs.
func (s *Session) ports(
	count func(session handle, out *uintptr) handle,
	name func(session handle, index uintptr, allocator handle, out *handle) handle,
	kind func(session handle, index uintptr, out *handle) handle,
) ([]Port, error) {
	a, allocator := s.runtime.api, s.runtime.allocator
	var n uintptr
	if err := a.check(count(s.session, &n)); err != nil {
		return nil, err
	}
	ports := make([]Port, n)
	for i := range ports {
		var chars, info handle
		if err := a.check(name(s.session, uintptr(i), allocator, &chars)); err != nil {
			return nil, err
		}
		ports[i].Name = text(chars)
		if err := a.check(a.AllocatorFree(allocator, chars)); err != nil {
			return nil, err
		}
		if err := a.check(kind(s.session, uintptr(i), &info)); err != nil {
			return nil, err
		}
		err := a.describe(&ports[i], info)
		a.ReleaseTypeInfo(info)
		if err != nil {
			return nil, err
		}
	}
	return ports, nil
}

// describe sets a port's type and shape if it is a tensor.
func (a *api) describe(p *Port, info handle) error {
	var tensor handle
	if err := a.check(a.CastTypeInfoToTensorInfo(info, &tensor)); err != nil || tensor == nil {
		return err
	}
	var err error
	p.Type, p.Shape, err = a.shape(tensor)
	return err
}

// shape returns the element type and shape of a tensor description.
func (a *api) shape(info handle) (kind Type, shape []int64, err error) {
	if err := a.check(a.GetTensorElementType(info, &kind)); err != nil {
		return 0, nil, err
	}
	var n uintptr
	if err := a.check(a.GetDimensionsCount(info, &n)); err != nil {
		return 0, nil, err
	}
	shape = make([]int64, n)
	return kind, shape, a.check(a.GetDimensions(info, (*int64)(pointer(shape)), n))
}

// Inputs returns the inputs of the model.
func (s *Session) Inputs() []Port { return slices.Clone(s.inputs) }

// Outputs returns the outputs of the model.
func (s *Session) Outputs() []Port { return slices.Clone(s.outputs) }

// Close waits for runs to finish and frees the model. It may be called again.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		s.runtime.api.ReleaseSession(s.session)
		s.session = nil
	}
	return nil
}
