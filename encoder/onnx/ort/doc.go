// Package ort runs ONNX models with ONNX Runtime, whose shared library it loads at
// run time. It is not needed to build, and neither is cgo.
//
// The library is searched for in this order:
//
//  1. The environment variable NSFL_ONNXRUNTIME: the library file, or a folder that
//     contains a release of ONNX Runtime or an npm installation of it. If it is set,
//     nothing else is tried.
//  2. The folder nsfl/onnxruntime in the user's cache directory (on Linux
//     ~/.cache/nsfl/onnxruntime): `npm install --ignore-scripts --prefix
//     ~/.cache/nsfl/onnxruntime onnxruntime-node` puts it there. The working
//     directory is never searched: anybody may have put files there. Neither are the
//     system's folders: on Windows they hold a version that is too old.
//
// Version 1 of ONNX Runtime's C API has all that is used, so any release works that
// can read the model; 1.12 to 1.30 were tested. On Linux a program that imports the
// package links to the system's C library dynamically, even if it was built with
// CGO_ENABLED=0. With -tags static it does not, and has no ONNX Runtime.
//
// Models run on the CPU, each run on one thread. The package offers what encoders need:
// inputs of floats and integers, and outputs of floats. It knows nothing about texts, tokens
// or vectors.
package ort
