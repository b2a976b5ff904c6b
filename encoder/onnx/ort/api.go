package ort

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// handle is a pointer to an object of ONNX Runtime, never to Go memory.
type handle = unsafe.Pointer

// apiVersion is the requested version of the C API. Later versions only add functions.
const apiVersion = 1

// api is the part of OrtApi, the function table in onnxruntime_c_api.h, that is used here.
// Names and arguments are those of the header; the tag is the function's index in the
// table. A returned handle is an OrtStatus, nil for success.
type api struct {
	GetErrorMessage func(status handle) string `at:"2"`

	CreateEnv              func(severity int32, name string, out *handle) handle `at:"3"`
	DisableTelemetryEvents func(env handle) handle                               `at:"6"`

	CreateSession func(env handle, path *byte, options handle, out *handle) handle                                                                   `at:"7"`
	Run           func(session, options handle, inputNames **byte, inputs *handle, n uintptr, outputNames **byte, m uintptr, outputs *handle) handle `at:"9"`

	CreateSessionOptions func(out *handle) handle                   `at:"10"`
	SetIntraOpNumThreads func(options handle, threads int32) handle `at:"24"`

	SessionGetInputCount     func(session handle, out *uintptr) handle                                 `at:"30"`
	SessionGetOutputCount    func(session handle, out *uintptr) handle                                 `at:"31"`
	SessionGetInputTypeInfo  func(session handle, index uintptr, out *handle) handle                   `at:"33"`
	SessionGetOutputTypeInfo func(session handle, index uintptr, out *handle) handle                   `at:"34"`
	SessionGetInputName      func(session handle, index uintptr, allocator handle, out *handle) handle `at:"36"`
	SessionGetOutputName     func(session handle, index uintptr, allocator handle, out *handle) handle `at:"37"`

	CreateRunOptions       func(out *handle) handle    `at:"39"`
	RunOptionsSetTerminate func(options handle) handle `at:"46"`

	CreateTensorWithDataAsOrtValue func(memory handle, data unsafe.Pointer, bytes uintptr, shape *int64, dimensions uintptr, element Type, out *handle) handle `at:"49"`
	GetTensorMutableData           func(value handle, out *handle) handle                                                                                      `at:"51"`

	CastTypeInfoToTensorInfo func(info handle, out *handle) handle                    `at:"55"`
	GetTensorElementType     func(info handle, out *Type) handle                      `at:"60"`
	GetDimensionsCount       func(info handle, out *uintptr) handle                   `at:"61"`
	GetDimensions            func(info handle, out *int64, dimensions uintptr) handle `at:"62"`
	GetTensorTypeAndShape    func(value handle, out *handle) handle                   `at:"65"`
	CreateCpuMemoryInfo      func(allocator, memory int32, out *handle) handle        `at:"69"`
	AllocatorFree            func(allocator, memory handle) handle                    `at:"76"`

	GetAllocatorWithDefaultOptions func(out *handle) handle `at:"78"`

	ReleaseStatus                 func(handle) `at:"93"`
	ReleaseSession                func(handle) `at:"95"`
	ReleaseValue                  func(handle) `at:"96"`
	ReleaseRunOptions             func(handle) `at:"97"`
	ReleaseTypeInfo               func(handle) `at:"98"`
	ReleaseTensorTypeAndShapeInfo func(handle) `at:"99"`
	ReleaseSessionOptions         func(handle) `at:"100"`
}

// newAPI binds the functions of a table.
func newAPI(table handle) *api {
	a := new(api)
	fields := reflect.ValueOf(a).Elem()
	for i := range fields.NumField() {
		place, err := strconv.Atoi(fields.Type().Field(i).Tag.Get("at"))
		if err != nil {
			panic("ort: " + fields.Type().Field(i).Name + " has no place in the table")
		}
		address := *(*uintptr)(unsafe.Add(table, uintptr(place)*unsafe.Sizeof(uintptr(0))))
		bind(fields.Field(i).Addr().Interface(), address)
	}
	return a
}

// check converts a status to an error and releases it.
func (a *api) check(status handle) error {
	if status == nil {
		return nil
	}
	message := a.GetErrorMessage(status)
	a.ReleaseStatus(status)
	return errors.New("ONNX Runtime: " + strings.Join(strings.Fields(message), " "))
}

// text copies a C string.
func text(p handle) string {
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}
