package ingest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/nsfl-go/nsfl/passage"
)

// readLaTeX reads what a LaTeX file would print, nearly: commands give way to what is in
// their braces, formulas that stand by themselves and comments are left out, and files
// that it names are not read with it.
func readLaTeX(content []byte) (draft, error) {
	t := newTex(strings.Join(slices.Collect(passage.Lines(string(content))), "\n"), 0)
	t.read()
	t.flush()
	d := withoutTitle(passage.OneLine(t.title), t.blocks, false)
	if author := passage.OneLine(t.author); author != "" {
		d.metadata = map[string]any{"author": author}
	}
	return d, nil
}

// tex reads LaTeX from its beginning to its end, once.
type tex struct {
	lined
	s      string
	at     int
	number int // of the lines before at, of which seen bytes were counted
	seen   int
	text   strings.Builder // that is not yet in the paragraph
	from   int             // its line
	lists  int
	cells  bool // within a table

	closing []int32 // of the braces, by where they open; 0 is none
	depth   int     // of pieces within each other

	title, author string
}

func (t *tex) line() int {
	t.number += strings.Count(t.s[t.seen:t.at], "\n")
	t.seen = t.at
	return t.number + 1
}

func (t *tex) write(s string) {
	if t.text.Len() == 0 {
		if strings.TrimSpace(s) == "" {
			return
		}
		t.from = t.line()
	}
	t.text.WriteString(s)
}

// end hands the text on to the paragraph or the row.
func (t *tex) end() {
	s := texQuotes.Replace(t.text.String())
	if t.text.Reset(); t.cells {
		t.row(t.from, passage.OneLine(s))
	} else {
		t.more(t.from, s)
	}
}

func (t *tex) read() {
	for t.at < len(t.s) {
		switch c := t.s[t.at]; c {
		case '%':
			t.comment()
		case '\n':
			t.newline()
		case '\\':
			t.command()
		case '$':
			t.formula()
		case '{', '}':
			t.at++
		case '&':
			if t.at++; t.cells {
				t.write(" | ")
			} else {
				t.write("&")
			}
		default:
			n := strings.IndexAny(t.s[t.at:], "%\n\\${}&")
			if n < 0 {
				n = len(t.s) - t.at
			}
			t.write(t.s[t.at : t.at+n])
			t.at += n
		}
	}
	t.end()
}

// comment ends with its line, and takes the white space before the next along.
func (t *tex) comment() {
	n := strings.IndexByte(t.s[t.at:], '\n')
	if n < 0 {
		t.at = len(t.s)
		return
	}
	t.at += n
	if rest := strings.TrimLeft(t.s[t.at+1:], " \t"); !strings.HasPrefix(rest, "\n") {
		t.at = len(t.s) - len(rest)
	}
}

func (t *tex) newline() {
	t.at++
	if rest := strings.TrimLeft(t.s[t.at:], " \t"); strings.HasPrefix(rest, "\n") {
		t.end()
		if t.lists == 0 || len(t.rows) == 0 {
			t.flush()
		}
		return
	}
	t.write(" ")
}

// formula reads $…$, of which the letters stay, or $$…$$, of which nothing does.
func (t *tex) formula() {
	if strings.HasPrefix(t.s[t.at:], "$$") {
		t.until(2, "$$")
		return
	}
	t.at++
	n := strings.IndexByte(t.near(), '$')
	if n < 0 || strings.Contains(t.s[t.at:t.at+n], "\n\n") { // it is no formula
		t.write("$")
		return
	}
	t.write(strings.NewReplacer("\\", "", "{", "", "}", "").Replace(t.s[t.at : t.at+n]))
	t.at += n + 1
}

// until skips some bytes and is what then stands before a mark, behind which it goes on.
func (t *tex) until(skip int, mark string) string {
	t.at += skip
	rest := t.s[t.at:]
	n := strings.Index(rest, mark)
	if n < 0 {
		t.at = len(t.s)
		return rest
	}
	t.at += n + len(mark)
	return rest[:n]
}

func (t *tex) command() {
	begin := t.at
	t.at++
	if t.at >= len(t.s) {
		return
	}
	if c := t.s[t.at]; c >= utf8.RuneSelf { // a letter that is none of a command
		return
	} else if !isTexLetter(c) {
		t.sign(c)
		return
	}
	for t.at < len(t.s) && isTexLetter(t.s[t.at]) {
		t.at++
	}
	name := t.s[begin+1 : t.at]
	if t.at < len(t.s) && t.s[t.at] == '*' {
		t.at++
	}
	switch sign, isSign := texSigns[name]; {
	case texLevels[name] > 0:
		t.end()
		number := t.line()
		t.options()
		t.heading(number, texLevels[name], t.inner())
	case name == "title" || name == "author":
		t.options()
		if s := t.inner(); name == "title" {
			t.title = s
		} else {
			t.author = strings.ReplaceAll(s, " ,", ",")
		}
	case name == "begin":
		t.environment(t.argument())
	case name == "end":
		t.leave(t.argument())
	case name == "item":
		t.end()
		t.row(t.line(), strings.TrimSpace("- "+t.labelled()))
	case name == "verb":
		_, n := utf8.DecodeRuneInString(t.s[t.at:])
		t.write(t.until(n, t.s[t.at:t.at+n]))
	case texFirst[name]:
		t.options()
		t.argument()
	case isSign:
		t.write(sign)
	case len(name) == 1 && texAccents[name[0]] != "":
		t.accent(name[0])
	case texDrops[name]:
		for t.options(); t.closing[t.at] > 0; t.options() {
			t.argument()
		}
	default:
		t.options()
		if t.at < len(t.s) && t.s[t.at] == ' ' { // which ends the name of a command
			t.at++
			t.write(" ")
		}
	}
}

func isTexLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '@' }

// sign reads a command that is one sign.
func (t *tex) sign(c byte) {
	t.at++
	switch {
	case c == '[':
		t.until(0, "\\]")
	case c == '(':
		t.write(t.until(0, "\\)"))
	case c == '\\':
		t.options()
		t.end()
	case texAccents[c] != "":
		t.accent(c)
	case strings.IndexByte("&%$#_{}", c) >= 0:
		t.write(string(c))
	case c == ' ' || c == '\n' || c == ',' || c == ';' || c == ':':
		t.write(" ")
	}
}

// accent puts one on the letter that follows.
func (t *tex) accent(c byte) {
	rest := strings.TrimLeft(t.s[t.at:], " {")
	rest, isName := strings.CutPrefix(rest, "\\") // \i and \j, without their dots
	r, n := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(r) {
		return
	}
	t.write(norm.NFC.String(string(r) + texAccents[c]))
	if t.at = len(t.s) - len(rest) + n; isName && strings.HasPrefix(rest[n:], " ") {
		t.at++
	}
}
