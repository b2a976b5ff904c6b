//go:build (amd64 || arm64) && !static

package ort

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/windows"
)

const supported = true

// openLibrary loads a shared library, for good. Those that it needs in turn are
// looked for beside it first.
func openLibrary(path string) (uintptr, error) {
	library, err := windows.LoadLibraryEx(path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH)
	return uintptr(library), err
}

// symbol is the address of a function of a library.
func symbol(library uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(library), name)
}

// bind sets what function points to, a variable of a function type, to the C
// function at an address.
func bind(function any, address uintptr) { purego.RegisterFunc(function, address) }

// nativePath is a path as ONNX Runtime takes it: on Windows in UTF-16.
func nativePath(path string) (*byte, error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("the path %q has a zero byte", path)
	}
	return (*byte)(unsafe.Pointer(p)), nil
}
