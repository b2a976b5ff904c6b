package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style is the style of a character. Colour 0 is the terminal's default.
type style struct {
	bold, dim, underlined bool
	colour                int
}

// span is a piece of a line in one style.
type span struct {
	style
	text string
}

// line is a line of a terminal.
type line []span

// columns returns the width of a line.
func (l line) columns() (n int) {
	for _, s := range l {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// cell is a character with its style.
type cell struct {
	style
	r rune
}

// show returns the lines that a terminal displays for some output: text, colours, and
// lines that are overwritten, such as a progress bar. It ignores unknown sequences.
func show(output []byte) (out []line) {
	var all [][]cell
	var now []cell
	var as style
	at := 0
	text := string(output)
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			if end < 0 {
				break
			}
			switch rest[end] {
			case 'm':
				as = as.with(rest[:end])
			case 'K':
				now = now[:min(at, len(now))]
			}
			text = rest[end+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		switch {
		case r == '\n':
			all, now, at = append(all, now), nil, 0
		case r == '\r':
			at = 0
		case r < ' ':
		default:
			if !unicode.IsPrint(r) {
				r = ' '
			}
			for len(now) <= at {
				now = append(now, cell{r: ' '})
			}
			now[at] = cell{as, r}
			at++
		}
	}
	if len(now) > 0 {
		all = append(all, now)
	}
	for _, cells := range all {
		out = append(out, lineOf(cells))
	}
	for len(out) > 0 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// with applies the parameters of an SGR escape sequence.
func (s style) with(numbers string) style {
	for word := range strings.SplitSeq(numbers, ";") {
		switch n, _ := strconv.Atoi(word); { // empty is 0
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 4:
			s.underlined = true
		case n >= 30 && n <= 37:
			s.colour = n
		case n == 39:
			s.colour = 0
		}
	}
	return s
}

// lineOf merges characters of the same style and drops trailing blanks.
func lineOf(cells []cell) (out line) {
	for len(cells) > 0 && cells[len(cells)-1].r == ' ' {
		cells = cells[:len(cells)-1]
	}
	for _, c := range cells {
		last := len(out) - 1
		if last < 0 || out[last].style != c.style {
			out = append(out, span{style: c.style})
			last++
		}
		out[last].text += string(c.r)
	}
	return slices.Clip(out)
}
