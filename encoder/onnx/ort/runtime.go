package ort

import (
	"fmt"
	"sync"
	"unsafe"
)

// Runtime is a loaded ONNX Runtime library. It is safe for concurrent use and stays loaded
// until the program ends.
type Runtime struct {
	api       *api
	env       handle
	allocator handle // frees strings returned by ONNX Runtime
	memory    handle // describes tensors in main memory
}

// ONNX Runtime allows one environment per process, so there is one Runtime.
var (
	loadedMu sync.Mutex
	loaded   *Runtime
)

// Load loads ONNX Runtime from where Find finds it. Loading it again returns the same Runtime.
func Load() (*Runtime, error) {
	loadedMu.Lock()
	defer loadedMu.Unlock()
	if loaded != nil {
		return loaded, nil
	}
	path, err := Find()
	if err != nil {
		return nil, err
	}
	r, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("loading ONNX Runtime from %s: %w", path, err)
	}
	loaded = r
	return r, nil
}

// severity makes ONNX Runtime log only fatal errors to standard error. All others are
// returned.
const severity = 4

// Tensors are in CPU memory, not in an arena.
const (
	deviceAllocator = 0
	defaultMemory   = 0
)

func load(path string) (*Runtime, error) {
	library, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	address, err := symbol(library, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("it is not ONNX Runtime, it has no function OrtGetApiBase: %w", err)
	}
	var getBase func() handle
	bind(&getBase, address)

	// struct OrtApiBase has two functions.
	base := (*[2]uintptr)(getBase())
	var getAPI func(version uint32) handle
	var getVersion func() string
	bind(&getAPI, base[0])
	bind(&getVersion, base[1])

	table := getAPI(apiVersion)
	if table == nil {
		return nil, fmt.Errorf("version %s does not support version %d of the C API; use another version of ONNX Runtime", getVersion(), apiVersion)
	}
	r := &Runtime{api: newAPI(table)}
	return r, r.start()
}

// start creates the objects that all sessions share.
func (r *Runtime) start() error {
	if err := r.api.check(r.api.CreateEnv(severity, "nsfl", &r.env)); err != nil {
		return err
	}
	if err := r.api.check(r.api.DisableTelemetryEvents(r.env)); err != nil {
		return err
	}
	if err := r.api.check(r.api.GetAllocatorWithDefaultOptions(&r.allocator)); err != nil {
		return err
	}
	return r.api.check(r.api.CreateCpuMemoryInfo(deviceAllocator, defaultMemory, &r.memory))
}

// pointer returns the address of a slice's elements for C.
func pointer[T any](elements []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(elements)) }
