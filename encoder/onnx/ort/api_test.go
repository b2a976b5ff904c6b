package ort

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// makes and releases list the kinds of handle that functions create and release.
var (
	makes = map[string]string{
		"CreateSession": "session", "CreateSessionOptions": "session options", "CreateRunOptions": "run options",
		"CreateTensorWithDataAsOrtValue": "value", "GetTensorTypeAndShape": "shape",
		"SessionGetInputName": "name", "SessionGetOutputName": "name",
		"SessionGetInputTypeInfo": "type", "SessionGetOutputTypeInfo": "type",
	}
	releases = map[string]string{
		"ReleaseSession": "session", "ReleaseSessionOptions": "session options", "ReleaseRunOptions": "run options",
		"ReleaseValue": "value", "ReleaseTensorTypeAndShapeInfo": "shape", "AllocatorFree": "name",
		"ReleaseTypeInfo": "type", "ReleaseStatus": "status",
	}
)

// ledger counts the calls of each function and the open handles of each kind.
type ledger struct {
	mu          sync.Mutex
	calls, held map[string]int
}

// watch returns a runtime that counts every call.
func watch(r *Runtime) (*Runtime, *ledger) {
	l := &ledger{calls: map[string]int{}, held: map[string]int{}}
	watched, original := new(api), reflect.ValueOf(r.api).Elem()
	for i := range original.NumField() {
		name, function := original.Type().Field(i).Name, original.Field(i)
		reflect.ValueOf(watched).Elem().Field(i).Set(reflect.MakeFunc(function.Type(), func(in []reflect.Value) []reflect.Value {
			out := function.Call(in)
			l.mu.Lock()
			defer l.mu.Unlock()
			l.calls[name]++
			if len(out) == 1 && out[0].Kind() == reflect.UnsafePointer && !out[0].IsZero() {
				l.held["status"]++
				return out
			}
			if kind, ok := makes[name]; ok {
				l.held[kind]++
			}
			if kind, ok := releases[name]; ok {
				l.held[kind]--
			}
			if name == "Run" {
				l.held["value"] += int(in[6].Uint()) // its outputs
			}
			return out
		}))
	}
	copied := *r
	copied.api = watched
	return &copied, l
}

// balanced reports handles that were leaked or released twice.
func (l *ledger) balanced(t *testing.T) {
	for kind, n := range l.held {
		if n != 0 {
			t.Errorf("%s: %+d handles open at the end, want 0", kind, n)
		}
	}
}

// Every bound function is called and does what its name says. Everything created is
// released, whether runs succeed or fail.
func TestEveryFunction(t *testing.T) {
	r, l := watch(open(t))
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	s := session(t, r, double())
	for range 10 {
		if _, err := s.Run(context.Background(), rows(1, 2), "y"); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()

	text := filepath.Join(t.TempDir(), "text.onnx")
	if err := os.WriteFile(text, []byte("not a model"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open(text); err == nil {
		t.Error("a text file was accepted as a model")
	}
	slow := session(t, r, long())
	ctx, cancel := context.WithCancel(context.Background())
	run := r.api.Run
	r.api.Run = func(session, options handle, inputNames **byte, inputs *handle, n uintptr, outputNames **byte, m uintptr, outputs *handle) handle {
		cancel()
		return run(session, options, inputNames, inputs, n, outputNames, m, outputs)
	}
	if _, err := slow.Run(ctx, []Tensor{{Name: "x", Shape: []int64{512, 512}, Floats: make([]float32, 512*512)}}, "y"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled run: got error %v", err)
	}
	slow.Close()

	l.balanced(t)
	for i := range reflect.TypeFor[api]().NumField() {
		if name := reflect.TypeFor[api]().Field(i).Name; l.calls[name] == 0 {
			t.Errorf("%s was never called", name)
		}
	}
}

// Ten thousand runs do not leak memory.
func TestNoLeak(t *testing.T) {
	r, l := watch(open(t))
	s := session(t, r, double())
	in := rows(make([]float32, 2*512)...) // results of 4 kB: leaked, they would add up to 40 MB
	run := func(n int) {
		for range n {
			if _, err := s.Run(context.Background(), in, "y"); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(500)
	before := resident(t)
	run(10_000)
	if grown := resident(t) - before; grown > 16<<20 {
		t.Errorf("the process grew by %d bytes", grown)
	}
	s.Close()
	l.balanced(t)
}

// resident returns the process's memory, or skips the test if the system does not report it.
func resident(t *testing.T) int {
	runtime.GC()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("needs /proc to see a process's memory")
	}
	pages, err := strconv.Atoi(string(bytes.Fields(data)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
