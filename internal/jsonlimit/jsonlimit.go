// Package jsonlimit tells how deep JSON is nested and how many values it has, before
// anything decodes it: a decoder that meets a value inside a value may buffer what is
// inside, and so take a multiple of the text for each level.
//
// It looks at brackets, commas and strings alone, and does not tell whether the text
// is JSON.
package jsonlimit

import "fmt"

// MaxDepth is how deep a text from outside may be nested. A formula of lists has two
// levels for each of the 64 that query.MaxDepth allows.
const MaxDepth = 160

// Shape is that of what was written to it so far.
type Shape struct {
	Depth  int // of the deepest value; 1: an object or a list of plain values
	Values int // and names of fields, about

	now             int // levels that are open
	quoted, escaped bool
}

// DepthError says that a text is nested deeper than MaxDepth.
type DepthError struct{}

func (DepthError) Error() string {
	return fmt.Sprintf("it is nested more than %d deep; write it with fewer lists and objects inside each other", MaxDepth)
}

// Of is the shape of a whole text. It is a DepthError where the text is nested too deep.
func Of(text []byte) (Shape, error) {
	var s Shape
	_, err := s.Write(text)
	return s, err
}

// Write goes on with a piece of the text. It is a DepthError as soon as the text is
// nested too deep.
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
