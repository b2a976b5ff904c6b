package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"io"
)

// decode returns the decoded contents of a stream, or nil if it is a picture or exceeds the
// limit. For damaged data it returns the part before the damage.
func (f *file) decode(s stream) []byte {
	filters, params := f.list(s.dict["Filter"]), f.list(s.dict["DecodeParms"])
	data := s.raw
	if f.decoded += len(data); f.decoded > maxDecoded || !f.step(1024) {
		return nil
	}
	if f.crypt != nil && s.dict["Type"] != name("XRef") {
		data = f.crypt.open(data, s.of)
	}
	for i, filter := range filters {
		switch filter {
		case name("FlateDecode"), name("Fl"):
			if len(data) < 2 {
				return nil
			}
			data = limited(flate.NewReader(bytes.NewReader(data[2:])))
		case name("ASCII85Decode"), name("A85"):
			data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~"))
			if end := bytes.IndexByte(data, '~'); end >= 0 {
				data = data[:end]
			}
			data = limited(ascii85.NewDecoder(bytes.NewReader(data)))
		case name("ASCIIHexDecode"), name("AHx"):
			data = []byte((&lexer{s: append([]byte("<"), data...)}).hex())
		default:
			return nil
		}
		if i < len(params) {
			data = f.unpredict(data, f.dict(params[i]))
		}
		if f.decoded += len(data); f.decoded > maxDecoded || !f.step(1024) {
			return nil
		}
	}
	return data
}

// list returns an array, or a single value as an array.
func (f *file) list(v any) array {
	switch v := f.value(v).(type) {
	case nil:
		return nil
	case array:
		out := array{}
		for _, x := range v {
			out = append(out, f.value(x))
		}
		return out
	default:
		return array{v}
	}
}

func limited(r io.Reader) []byte {
	out, _ := io.ReadAll(io.LimitReader(r, maxStream))
	return out
}

// unpredict reverses the PNG filters that are applied before compression.
func (f *file) unpredict(data []byte, params dict) []byte {
	whole := func(key name, usual float64) int {
		if n, ok := f.value(params[key]).(float64); ok {
			usual = n
		}
		return int(min(max(usual, 1), 1<<20))
	}
	if whole("Predictor", 1) < 10 {
		return data
	}
	pixel := max(1, whole("Colors", 1)*whole("BitsPerComponent", 8)/8)
	row := (whole("Columns", 1)*whole("Colors", 1)*whole("BitsPerComponent", 8) + 7) / 8
	var out []byte
	above := make([]byte, min(row, len(data)))
	for len(data) > 1 {
		kind, line := data[0], data[1:min(row+1, len(data))]
		data = data[len(line)+1:]
		now := make([]byte, len(line))
		for i, b := range line {
			left, up, corner := byte(0), above[i], byte(0)
			if i >= pixel {
				left, corner = now[i-pixel], above[i-pixel]
			}
			switch kind {
			case 1:
				b += left
			case 2:
				b += up
			case 3:
				b += byte((int(left) + int(up)) / 2)
			case 4:
				b += paeth(left, up, corner)
			}
			now[i] = b
		}
		out = append(out, now...)
		copy(above, now)
	}
	return out
}

func paeth(left, up, corner byte) byte {
	distance := func(a byte) int {
		d := int(left) + int(up) - int(corner) - int(a)
		return max(d, -d)
	}
	switch l, u, c := distance(left), distance(up), distance(corner); {
	case l <= u && l <= c:
		return left
	case u <= c:
		return up
	}
	return corner
}
