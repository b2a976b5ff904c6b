package passage

import (
	"iter"
	"strings"
	"unicode"
)

// Kind is what the rows of a block are.
type Kind int

const (
	Prose   Kind = iota // one row of sentences
	Heading             // one row, kept with what follows
	Rows                // of a list, a table or code, kept together where they fit
)

// Block is a part of a document between empty lines. Its rows are not empty.
type Block struct {
	Kind  Kind
	Rows  []string
	Level int // of a heading, from 1; 0 where it is not known
	Page  int // where it begins, from 1; 0 where there are none
	Line  int // where it begins in its file, from 1; 0 where that is not known
}

// Blocks takes plain text apart at empty lines, and at the beginnings and
// ends of lists.
func Blocks(s string) []Block {
	var blocks []Block
	var words, items []string
	number, begin := 0, 0 // of lines: the present one, and where the block begins
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

// Lines goes through the lines of s, which end with \n, \r\n or \r.
func Lines(s string) iter.Seq[string] {
	if strings.Contains(s, "\r") { // else it need not be copied
		s = lineBreaks.Replace(s)
	}
	return strings.SplitSeq(s, "\n")
}

// isItem tells whether a line begins an item of a list: a mark or a number of at
// most three digits, then a space.
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

// isBlank says what separates words: white space, and control characters, which
// have no place in a text.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// OneLine puts single spaces between the words of s.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(invisible.Replace(s), isBlank), " ")
}

// invisible are soft hyphens and characters without width, which would hide words
// from a search.
var invisible = strings.NewReplacer("\u00AD", "", "\u200B", "", "\uFEFF", "")

// isOneLine is the quick way for text that is so already: nothing but printable
// ASCII, and no two spaces or one at an end.
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

// codeLine keeps the indentation of a line of code and drops what trails.
func codeLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if isBlank(r) && r != '\t' {
			return ' '
		}
		return r
	}, s)
	return strings.TrimRight(s, " \t")
}

// Code makes a block of lines of code; nil if there is nothing in them.
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
