package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// terminal is where a person reads: how wide it is, and whether it has colours.
type terminal struct {
	io.Writer
	width  int
	colour bool
}

// newTerminal looks at what w is. Colour is auto, always or never; auto is on a
// terminal only, and not where NO_COLOR is set.
func newTerminal(w io.Writer, colour string) *terminal {
	t := &terminal{Writer: w, width: 100}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.colour = os.Getenv("NO_COLOR") == ""
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width >= 40 {
			t.width = min(width, 160)
		}
	}
	switch colour {
	case "always":
		t.colour = true
	case "never":
		t.colour = false
	}
	return t
}

// The colours that are used, as terminals number them.
const (
	bold   = "1"
	dim    = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
	cyan   = "36"
)

// paint wraps text in a colour.
func (t *terminal) paint(code, text string) string {
	if !t.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// clip is text in at most width cells of one line, its end replaced by … where
// it is longer.
func clip(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	used := 0
	for i, r := range text {
		w := cells(r)
		if used+w > width-1 && width > 0 && textWidth(text[i:]) > width-used {
			return strings.TrimRight(text[:i], " ") + "…"
		}
		used += w
	}
	return text
}

// pad fills text with spaces to a width in cells.
func pad(text string, width int) string {
	if n := width - textWidth(text); n > 0 {
		return text + strings.Repeat(" ", n)
	}
	return text
}

func textWidth(text string) (width int) {
	for _, r := range text {
		width += cells(r)
	}
	return width
}

// cells is how many cells of a terminal a character takes.
func cells(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r):
		return 0
	case 0x1100 <= r && r <= 0x115F, 0x2E80 <= r && r <= 0xA4CF, 0xAC00 <= r && r <= 0xD7A3,
		0xF900 <= r && r <= 0xFAFF, 0xFE30 <= r && r <= 0xFE6F, 0xFF00 <= r && r <= 0xFF60, 0x1F300 <= r && r <= 0x1FAFF, 0x20000 <= r && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// clean takes out what could move the cursor or change colours.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && r != '\u202e' && r != '\u2066' && r != '\u2067' && r != '\u202d' {
			return r
		}
		return -1
	}, text)
}
