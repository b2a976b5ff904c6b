//go:build (linux || darwin) && !android && !ios && (amd64 || arm64) && !static

package ort

import (
	"fmt"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

const supported = true

// openLibrary loads a shared library, for good.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// symbol is the address of a function of a library.
func symbol(library uintptr, name string) (uintptr, error) {
	return purego.Dlsym(library, name)
}

// bind sets what function points to, a variable of a function type, to the C
// function at an address.
func bind(function any, address uintptr) { purego.RegisterFunc(function, address) }

// nativePath is a path as ONNX Runtime takes it.
func nativePath(path string) (*byte, error) {
	p, err := unix.BytePtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("the path %q has a zero byte", path)
	}
	return p, nil
}
