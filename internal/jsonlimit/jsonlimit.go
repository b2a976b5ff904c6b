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

// Shape describes the text written to it so far.
type Shape struct {
	Depth  int // of the deepest value; 1 for an object or list of plain values
	Values int // number of values and field names, approximately

	now             int // open levels
	quoted, escaped bool
}

// DepthError reports that a text is nested deeper than MaxDepth.
type DepthError struct{}

func (DepthError) Error() string {
	return fmt.Sprintf("it is nested more than %d deep; use fewer nested lists and objects", MaxDepth)
}

// Of returns the shape of a whole text. It returns a DepthError if the text is nested too
// deep.
func Of(text []byte) (Shape, error) {
	var s Shape
	_, err := s.Write(text)
	return s, err
}

// Write continues with a piece of the text. It returns a DepthError as soon as the text
// is nested too deep.
func (s *Shape) Write(piece []byte) (int, error) {
	for i, c := range piece {
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted:
			s.escaped, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = true
		case c == '[' || c == '{':
			s.Values++
			s.now++
			if s.Depth = max(s.Depth, s.now); s.now > MaxDepth {
				return i, DepthError{}
			}
		case c == ']' || c == '}':
			s.now = max(0, s.now-1)
		case c == ',' || c == ':':
			s.Values++
		}
	}
	return len(piece), nil
}
