package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError describes what is wrong with a query, and where.
type SyntaxError struct {
	Query string // the whole text
	Off   int    // byte offset of the error, 0 ≤ Off ≤ len(Query)
	Msg   string // what was expected and what was found
}

// Error returns the message and the query with a caret under the error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("syntax error at byte %d: %s\n%s", e.Off, e.Msg, e.Caret())
}

// Span returns the part of the token at Off that is wrong. It is empty at the end of the
// query and in white space.
func (e *SyntaxError) Span() Span {
	l := lexer{text: e.Query}
	for {
		switch t := l.next(); {
		case t.Kind == TokenEnd || e.Off < t.Start:
			return Span{e.Off, e.Off}
		case e.Off < t.End:
			return Span{e.Off, t.End}
		}
	}
}

// Caret returns the query, made printable, with a caret below the error. A long query is
// cut to the neighbourhood of the error.
func (e *SyntaxError) Caret() string {
	const before, after = 60, 20
	start, end := max(0, e.Off-before), min(len(e.Query), e.Off+after)
	for start > 0 && !utf8.RuneStart(e.Query[start]) {
		start--
	}
	for end < len(e.Query) && !utf8.RuneStart(e.Query[end]) {
		end++
	}
	head, tail := printable(e.Query[start:e.Off]), printable(e.Query[e.Off:end])
	if start > 0 {
		head = "…" + head
	}
	if end < len(e.Query) {
		tail += "…"
	}
	return "  " + head + tail + "\n  " + strings.Repeat(" ", utf8.RuneCountInString(head)) + "^"
}

// printable keeps the error on one line: control characters become spaces and invalid
// bytes the replacement character, each one column wide.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
