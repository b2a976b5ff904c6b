//go:build (amd64 || arm64) && !static

package ort

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/windows"
)

const supported = true

// openLibrary loads a shared library for the life of the process. Its own dependencies are
// looked up in its folder first.
func openLibrary(path string) (uintptr, error) {
	library, err := windows.LoadLibraryEx(path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH)
	return uintptr(library), err
}

// symbol returns the address of a library function.
func symbol(library uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(library), name)
}

// bind sets the function variable that function points to, to the C function at an address.
func bind(function any, address uintptr) { purego.RegisterFunc(function, address) }

// nativePath converts a path to the form ONNX Runtime expects: UTF-16 on Windows.
func nativePath(path string) (*byte, error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("the path %q has a zero byte", path)
	}
	return (*byte)(unsafe.Pointer(p)), nil
}
