// Package ort runs ONNX models with ONNX Runtime, whose shared library it loads
// when the program runs. Nothing of it is needed to build, and no cgo.
//
// The library is looked for in this order:
//
//  1. The environment variable NSFL_ONNXRUNTIME: the library's file, or a folder
//     that holds it, be it a release of ONNX Runtime or one in which npm was used.
//     If it is set, nothing else is tried.
//  2. The folder of the executable, in any of these ways.
//  3. The folder nsfl/onnxruntime among the user's caches (on Linux
//     ~/.cache/nsfl/onnxruntime): `npm install --ignore-scripts --prefix
//     ~/.cache/nsfl/onnxruntime onnxruntime-node` puts it there. The working
//     directory is never looked in: what lies there may be anybody's.
//  4. The system's folders: /usr/local/lib, /usr/lib and their like on Linux,
//     Homebrew's on macOS, those in PATH on Windows except the system's own,
//     which holds an old one.
//  5. Except on Windows, wherever the system's loader finds it by name, which
//     includes LD_LIBRARY_PATH.
//
// Version 1 of ONNX Runtime's C interface has all that is used, so any release
// will do that can read the model; 1.12 to 1.30 were tried. On Linux a program
// that imports the package is linked with the system's C library when it starts,
// even if it was built with CGO_ENABLED=0. With -tags static as well it is not,
// and has no ONNX Runtime.
//
// Models run on the processor. The package offers what encoders need: tensors of
// floats and integers. It knows nothing of texts, tokens or vectors.
package ort
