// Package wire has the messages that Milvus takes and gives over gRPC, as milvus.proto
// declares them. It knows nothing of what is in them.
package wire

// The compiler and the generator are in a module of their own, tools/proto; they need
// nothing but Go.
//
//go:generate go -C ../../../tools/proto tool buf generate ../../engine/milvus/wire -o ../../engine/milvus/wire --template "{version: v2, plugins: [{local: [go, tool, protoc-gen-go], out: ., opt: [paths=source_relative]}]}"
