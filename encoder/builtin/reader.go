package builtin

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"

	"github.com/nsfl-go/nsfl/encoder/bert"
)

var errShort = errors.New("the file ends too early")

// reader decodes a file from its beginning. After the first error it returns zero values.
type reader struct {
	rest string
	err  error
}

// bytes returns the next n bytes, or an empty string if there are fewer.
func (r *reader) bytes(n int) string {
	if r.err == nil && n > len(r.rest) {
		r.err = errShort
	}
	if r.err != nil {
		return ""
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) number() int {
	b := r.bytes(4)
	if b == "" {
		return 0
	}
	return int(binary.LittleEndian.Uint32([]byte(b)))
}

func (r *reader) string() string { return r.bytes(r.number()) }

func (r *reader) floats(n int) []float32 {
	b := r.bytes(4 * n)
	if r.err != nil {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(b[4*i : 4*i+4])))
	}
	return out
}

func (r *reader) matrix(rows, columns int) bert.Matrix {
	return bert.Matrix{Columns: columns, Scales: r.floats(rows), Codes: view[int8](r.bytes(rows * columns))}
}

func (r *reader) linear(rows, columns int) bert.Linear {
	return bert.Linear{Bias: r.floats(rows), Matrix: r.matrix(rows, columns)}
}

func (r *reader) norm(n int) bert.Norm { return bert.Norm{Weight: r.floats(n), Bias: r.floats(n)} }

// view returns the bytes of s without copying. They must not be modified.
func view[T byte | int8](s string) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(s))), len(s))
}
