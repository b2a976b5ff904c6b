package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/nsfl-go/nsfl/internal/progress"
)

// terminal writes to a terminal or file, with its width and colours.
type terminal struct {
	io.Writer
	width  int
	colour bool
	// wraps breaks lines between words. Lines in a file stay whole, for grep.
	wraps bool
}

// columnsEnv is the width of lines without a terminal, as for a pager.
const columnsEnv = "COLUMNS"

// newTerminal inspects w. Colour is auto, always or never; auto means on a terminal, unless
// NO_COLOR is set.
func newTerminal(w io.Writer, colour string) *terminal {
	t := &terminal{Writer: w, width: 100}
	width, _ := strconv.Atoi(os.Getenv(columnsEnv)) // what is no number is none
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.colour = os.Getenv("NO_COLOR") == ""
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			width = n
		}
	}
	if width >= 40 {
		t.width, t.wraps = min(width, 160), true
	}
	switch colour {
	case "always":
		t.colour = true
	case "never":
		t.colour = false
	}
	return t
}

// ANSI codes of the colours.
const (
	bold   = "1"
	dim    = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
	cyan   = "36"
)

// paint colours text; an empty code leaves it unchanged.
func (t *terminal) paint(code, text string) string {
	if !t.colour || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// lines writes a coloured text with the prefix first; the lines that it is wrapped into have
// the prefix more.
func (t *terminal) lines(colour, first, more, text string) {
	line, room := "", t.width-progress.Columns(first)
	if !t.wraps || progress.Columns(text) <= room {
		fmt.Fprintln(t, first+t.paint(colour, text))
		return
	}
	for word := range strings.FieldsSeq(text) {
		if longer := strings.TrimLeft(line+" "+word, " "); line == "" || progress.Columns(longer) <= room {
			line = longer
			continue
		}
		fmt.Fprintln(t, first+t.paint(colour, line))
		line, first, room = word, more, t.width-progress.Columns(more)
	}
	fmt.Fprintln(t, first+t.paint(colour, line))
}

// fit clips text to the room that a line has left after some columns, if lines must fit.
func (t *terminal) fit(text string, beside int) string {
	if !t.wraps {
		return text
	}
	return clip(text, t.width-beside)
}

// clip shortens text to one line of width columns, with … at the end if it is longer.
func clip(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if progress.Columns(text) <= width {
		return text
	}
	return strings.TrimRight(progress.Cut(text, width-1), " ") + "…"
}

// pad fills text with spaces to a width in columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-progress.Columns(text)))
}
