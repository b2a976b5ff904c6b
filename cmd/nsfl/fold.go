package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/internal/progress"
)

// folder writes lines to a terminal, those that are longer than it is wide broken between
// words. What is below a label in a column of its own stays there.
type folder struct {
	*terminal
	rest []byte // of a line that has no end yet
}

// Write keeps what comes after the last end of a line.
func (f *folder) Write(p []byte) (int, error) {
	f.rest = append(f.rest, p...)
	for {
		line, rest, ok := bytes.Cut(f.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		f.line(string(line))
		f.rest = rest
	}
}

// Close writes what has no end of a line.
func (f *folder) Close() error {
	rest := f.rest
	f.rest = nil
	_, err := f.terminal.Write(rest)
	return err
}

// label is what a line begins with before a column of text: blanks, a name, blanks.
var label = regexp.MustCompile(`^ *(\S+( \S+)?  +)?`)

func (f *folder) line(text string) {
	first := label.FindString(text)
	if len(first) > f.width/2 {
		first = ""
	}
	more := strings.Repeat(" ", progress.Columns(first))
	if strings.TrimSpace(first) == "" {
		more += "  "
	}
	f.lines("", first, more, text[len(first):])
}
