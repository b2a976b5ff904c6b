// Package termsafe removes control characters from terminal output: file names and
// documents come from others, and a control character in them could move the cursor,
// alter earlier output, or set the window title.
package termsafe

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Text returns s without control characters, except newlines and tabs, and without
// characters that change the writing direction. Invalid UTF-8 is replaced.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && isControl(r) {
			return -1
		}
		return r
	}, s)
}

// Line is Text on one line: white space of any kind becomes a space.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case isControl(r):
			return -1
		}
		return r
	}, s)
}

func isControl(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Writer returns a writer that applies Text. Each call must contain whole characters.
func Writer(w io.Writer) io.Writer { return writer{w, Text} }

// JSON returns a writer of JSON that escapes DEL and the C1 control characters, which
// encoding/json leaves unescaped. Each call must contain whole characters.
func JSON(w io.Writer) io.Writer { return writer{w, escapes.Replace} }

type writer struct {
	io.Writer
	clean func(string) string
}

func (w writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, w.clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escapes replaces DEL and the C1 control characters.
var escapes = func() *strings.Replacer {
	var pairs []string
	for r := rune(0x7f); r <= 0x9f; r++ {
		pairs = append(pairs, string(r), fmt.Sprintf(`\u%04x`, r))
	}
	return strings.NewReplacer(pairs...)
}()
