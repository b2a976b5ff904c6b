package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/internal/progress"
)

// folder wraps lines to the width of a terminal, between words. Text in a column after a
// label stays in that column.
type folder struct {
	*terminal
	rest []byte // of a line that has no end yet
}

// Write buffers text after the last line break.
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

// Close writes an unfinished line.
func (f *folder) Close() error {
	rest := f.rest
	f.rest = nil
	_, err := f.terminal.Write(rest)
	return err
}

// label matches the start of a line before a column of text: blanks, a name, blanks.
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
