package passage

import (
	"iter"
	"strings"
	"unicode"
)

// Kind is the kind of rows in a block.
type Kind int

const (
	Prose   Kind = iota // one row of sentences
	Heading             // one row, kept with the next block
	Rows                // rows of a list, a table or code, kept together if they fit
)

// Block is a part of a document between empty lines. Its rows are not empty.
type Block struct {
	Kind  Kind
	Rows  []string
	Level int // heading level from 1; 0 if unknown
	Page  int // page it starts on, from 1; 0 without pages
	Line  int // line of the file it starts on, from 1; 0 if unknown
}

// Blocks splits plain text at empty lines and at the start and end of lists.
func Blocks(s string) []Block {
	var blocks []Block
	var words, items []string
	number, begin := 0, 0 // line numbers: the current line, and the start of the block
	flush := func() {
		if len(words) > 0 {
			blocks = append(blocks, Block{Kind: Prose, Rows: []string{strings.Join(words, " ")}, Line: begin})
		}
		if len(items) > 0 {
			blocks = append(blocks, Block{Kind: Rows, Rows: items, Line: begin})
		}
		words, items, begin = nil, nil, 0
	}
	for line := range Lines(s) {
		number++
		if line = OneLine(line); line != "" && begin == 0 {
			begin = number
		}
		switch {
		case line == "":
			flush()
		case isItem(line):
			if len(words) > 0 {
				flush()
				begin = number
			}
			items = append(items, line)
		case len(items) > 0:
			items[len(items)-1] += " " + line
		default:
			words = append(words, line)
		}
	}
	flush()
	return blocks
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Lines iterates over the lines of s, which end with \n, \r\n or \r.
func Lines(s string) iter.Seq[string] {
	if strings.Contains(s, "\r") { // avoid a copy otherwise
		s = lineBreaks.Replace(s)
	}
	return strings.SplitSeq(s, "\n")
}

// isItem reports whether a line starts a list item: a bullet or a number of at most three
// digits, then a space.
func isItem(line string) bool {
	mark, rest, ok := strings.Cut(line, " ")
	if !ok || rest == "" {
		return false
	}
	switch mark {
	case "-", "*", "+", "•", "–":
		return true
	}
	n := len(mark) - 1
	if n < 1 || n > 3 || mark[n] != '.' && mark[n] != ')' {
		return false
	}
	return strings.Trim(mark[:n], "0123456789") == ""
}

// isBlank reports whether a character separates words: white space, and control characters,
// which do not belong in a text.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// OneLine separates the words of s with single spaces.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(invisible.Replace(s), isBlank), " ")
}

// invisible removes soft hyphens and zero-width characters, which would hide words from a
// search.
var invisible = strings.NewReplacer("\u00AD", "", "\u200B", "", "\uFEFF", "")

// isOneLine quickly recognizes text that OneLine leaves unchanged: printable ASCII without
// double, leading or trailing spaces.
func isOneLine(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7F || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

// codeLine keeps the indentation of a line of code and drops trailing white space.
func codeLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if isBlank(r) && r != '\t' {
			return ' '
		}
		return r
	}, s)
	return strings.TrimRight(s, " \t")
}

// Code makes a block of lines of code; it returns nil if all lines are empty.
func Code(code string) []Block {
	var kept []string
	for line := range Lines(code) {
		if line = codeLine(line); line != "" {
			kept = append(kept, line)
		}
	}
	if kept == nil {
		return nil
	}
	return []Block{{Kind: Rows, Rows: kept}}
}
