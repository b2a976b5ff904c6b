package builtin

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"
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

func (r *reader) matrix(rows, columns int) matrix {
	return matrix{columns, r.floats(rows), view[int8](r.bytes(rows * columns))}
}

func (r *reader) linear(rows, columns int) linear {
	return linear{bias: r.floats(rows), matrix: r.matrix(rows, columns)}
}

func (r *reader) norm(n int) layerNorm { return layerNorm{r.floats(n), r.floats(n)} }

// view returns the bytes of s without copying. They must not be modified.
func view[T byte | int8](s string) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(s))), len(s))
}
