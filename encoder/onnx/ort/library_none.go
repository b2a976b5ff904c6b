//go:build !(linux || darwin || windows) || android || ios || !(amd64 || arm64) || static

package ort

// supported is false: C cannot be called without cgo here, or there is no ONNX Runtime.
// Load then fails, and the functions below are never called.
const supported = false

func openLibrary(string) (uintptr, error) { return 0, errUnsupported }

func symbol(uintptr, string) (uintptr, error) { return 0, errUnsupported }

func bind(any, uintptr) {}

func nativePath(string) (*byte, error) { return nil, errUnsupported }
