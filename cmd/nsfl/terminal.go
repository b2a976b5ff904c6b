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

// terminal is where a person reads: how wide it is, and whether it has colours.
type terminal struct {
	io.Writer
	width  int
	colour bool
	// wraps says that lines are broken between words: a terminal would break them
	// anywhere. Those of a file stay whole, for whoever searches it.
	wraps bool
}

// columnsEnv is how wide lines are where there is no terminal, as for a pager.
const columnsEnv = "COLUMNS"

// newTerminal looks at what w is. Colour is auto, always or never; auto is on a
// terminal only, and not where NO_COLOR is set.
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

// bold and the others are the colours that are used, as terminals number them.
const (
	bold   = "1"
	dim    = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
	cyan   = "36"
)

// paint wraps text in a colour; none leaves it as it is.
func (t *terminal) paint(code, text string) string {
	if !t.colour || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// lines writes a text in a colour after what its first line begins with; those that it
// is broken into begin with more.
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

// fit is text on what a line has left beside so many columns, where lines must fit.
func (t *terminal) fit(text string, beside int) string {
	if !t.wraps {
		return text
	}
	return clip(text, t.width-beside)
}

// clip is text in at most width columns of one line, its end replaced by … where it
// is longer.
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
