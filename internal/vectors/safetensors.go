package vectors

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
)

// maxTensorHeader is above the headers of the largest models, which name some
// hundred thousand tensors.
const maxTensorHeader = 16 << 20

// tensor is an entry of the header.
type tensor struct {
	Type    string    `json:"dtype"`
	Shape   []uint64  `json:"shape"`
	Offsets [2]uint64 `json:"data_offsets"` // counted from the end of the header
}

var tensorElements = map[string]element{
	"F32": float32s, "F16": float16s, "F64": float64s, "BF16": bfloat16s, "I8": int8s, "U8": uint8s,
}

func newSafetensors(src *source, name string) (*matrix, error) {
	head := slices.Clone(src.head())
	var h [8]byte
	if err := src.header(h[:], Safetensors); err != nil {
		return nil, err
	}
	size := little.Uint64(h[:])
	if size > maxTensorHeader || src.size >= 0 && size > uint64(src.size) {
		return nil, bad(ErrFormat, "its header would have %d bytes: it is not a safetensors file, or a damaged one%s", size, likeness(head))
	}
	var text bytes.Buffer // grows with what is there, not with what size tells
	if n, err := io.CopyN(&text, src, int64(size)); err != nil {
		return nil, bad(ErrTruncated, "the file ends after %d of the %d bytes of its header; copy or save it again", n, size).because(err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(text.Bytes(), &entries); err != nil {
		return nil, bad(ErrFormat, "its header cannot be read%s", likeness(head)).because(err)
	}
	delete(entries, "__metadata__")
	tensors := make(map[string]tensor, len(entries))
	var end uint64
	for name, raw := range entries {
		var t tensor
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, bad(ErrFormat, "the entry of the tensor %s cannot be read; the file is damaged", clip(name))
		}
		tensors[name] = t
		end = max(end, t.Offsets[1])
	}
	switch there := uint64(src.size - src.at); {
	case src.size < 0:
	case end > there:
		return nil, bad(ErrTruncated, "its tensors end %d bytes after the header, the file after %d; copy or save it again", end, there)
	case end < there:
		return nil, bad(ErrTrailing, "%d bytes follow the last of its tensors; save it again", there-end)
	}
	t, err := chooseTensor(tensors, name)
	if err != nil {
		return nil, err
	}
	return t.open(src)
}

func chooseTensor(tensors map[string]tensor, name string) (tensor, error) {
	names := slices.Sorted(maps.Keys(tensors))
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	t, ok := tensors[name]
	switch {
	case len(names) == 0:
		return t, bad(ErrEmpty, "it holds no tensor")
	case name == "":
		return t, bad(ErrFormat, "it holds %d tensors; name the one to read: %s", len(names), some(names))
	case !ok:
		return t, bad(ErrFormat, "it holds no tensor %s; there are: %s", clip(name), some(names))
	}
	return t, nil
}

func (t tensor) open(src *source) (*matrix, error) {
	e, ok := tensorElements[t.Type]
	if !ok {
		return nil, bad(ErrFormat, "the tensor's numbers are of type %.20q, but F32, F16, BF16, F64, I8 and U8 are read; save tensor.float()", t.Type)
	}
	rows, dim, err := twoAxes(t.Shape)
	if err != nil {
		return nil, err
	}
	begin, end := t.Offsets[0], t.Offsets[1]
	if begin > end || end > 1<<62 {
		return nil, bad(ErrFormat, "the tensor lies from %d to %d, which cannot be; the file is damaged", begin, end)
	}
	if err := src.skip(int64(begin)); err != nil {
		return nil, bad(ErrTruncated, "the file ends before its tensor begins, at byte %d", src.at).because(err)
	}
	// The matrix is held against its own bytes, not against the rest of the file.
	m, err := newMatrix(src, rows, dim, e, int64(end-begin))
	if err != nil {
		return nil, err
	}
	m.tail = true
	return m, nil
}
