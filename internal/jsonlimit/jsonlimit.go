// Package jsonlimit measures how deep JSON is nested and how many values it has, before
// it is decoded: a decoder may buffer nested values, and thus use a multiple of the
// text's size for each level.
//
// It looks only at brackets, commas and strings, and does not validate the JSON.
package jsonlimit

import "fmt"

// MaxDepth is the maximum nesting of untrusted JSON. A formula of lists uses two levels
// for each of the 64 that query.MaxDepth allows.
const MaxDepth = 160

// Shape describes a JSON text.
type Shape struct {
	Depth  int // of the deepest value; 1 for an object or list of plain values
	Values int // number of values and field names, approximately
}

// ErrDepth reports that a text is nested deeper than MaxDepth.
var ErrDepth = fmt.Errorf("it is nested more than %d deep; use fewer nested lists and objects", MaxDepth)

// Of returns the shape of a text. It returns ErrDepth if the text is nested too deep.
func Of(text []byte) (s Shape, err error) {
	level, quoted, escaped := 0, false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			s.Values++
			level++
			if s.Depth = max(s.Depth, level); level > MaxDepth {
				return s, ErrDepth
			}
		case c == ']' || c == '}':
			level = max(0, level-1)
		case c == ',' || c == ':':
			s.Values++
		}
	}
	return s, nil
}
