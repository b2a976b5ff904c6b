//go:build (linux || darwin) && !android && !ios && (amd64 || arm64) && !static

package ort

import (
	"fmt"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

const supported = true

// openLibrary loads a shared library for the life of the process.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// symbol returns the address of a library function.
func symbol(library uintptr, name string) (uintptr, error) {
	return purego.Dlsym(library, name)
}

// bind sets the function variable that function points to, to the C function at an address.
func bind(function any, address uintptr) { purego.RegisterFunc(function, address) }

// nativePath converts a path to the form ONNX Runtime expects.
func nativePath(path string) (*byte, error) {
	p, err := unix.BytePtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("the path %q has a zero byte", path)
	}
	return p, nil
}
