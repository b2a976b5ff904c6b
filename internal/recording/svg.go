package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"time"
	"unicode/utf8"
)

// Size of characters and of the margin.
const (
	cellWidth  = 8.4
	cellHeight = 19
	margin     = 18
	prompt     = "$ "
)

// Speed of typing and reading.
const (
	typing   = 45 * time.Millisecond // per character
	longest  = 1500 * time.Millisecond
	glancing = 2500 * time.Millisecond
	reading  = 300 * time.Millisecond // per line
)

const look = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:var(--text)}
svg{--back:#fcfcfb;--edge:#d5d8dc;--text:#24292f;--dim:#5f6670;--red:#b3261e;--green:#1a7f37;--yellow:#8a5a00;--cyan:#0b6e83}
@media(prefers-color-scheme:dark){svg{--back:#12161c;--edge:#343b45;--text:#e2e6ea;--dim:#98a2ad;--red:#ff8a80;--green:#5fd07a;--yellow:#f0c350;--cyan:#5fd4e6}}
.b{font-weight:700}.d{fill:var(--dim)}.u{text-decoration:underline}.c31{fill:var(--red)}.c32{fill:var(--green)}.c33{fill:var(--yellow)}.c36{fill:var(--cyan)}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}
`

// drawing is an SVG under construction.
type drawing struct {
	style, body bytes.Buffer
	line        int // the next
}

// still draws one command and its output.
func still(s step) []byte {
	var d drawing
	d.text(typedLine(s))
	d.line++
	for _, l := range s.output {
		d.text(l)
		d.line++
	}
	return d.svg(d.line)
}

// typedLine returns a command line after a prompt.
func typedLine(s step) line {
	return line{{style{dim: true}, prompt}, {style{bold: true}, s.typed}}
}

// play draws commands one after another in a loop, each typed before its output appears.
// The text scrolls as in a terminal. Without animation the end is shown.
func play(steps []step) []byte {
	var d drawing
	var moves []move
	at, total := time.Duration(0), lengthOf(steps)
	for i, s := range steps {
		typed := time.Duration(utf8.RuneCountInString(s.typed)) * typing
		fmt.Fprintf(&d.body, `<g class="p%d">`, i)
		d.text(line{typedLine(s)[0]})
		fmt.Fprintf(&d.body, `<g class="t%d">`, i)
		d.textAt(len(prompt), line{typedLine(s)[1]})
		d.body.WriteString("</g></g>\n")
		d.line++
		moves = append(moves, move{at, max(0, d.line-rows)})
		d.appears(fmt.Sprintf("p%d", i), at, total)
		d.isTyped(fmt.Sprintf("t%d", i), at+glancing/4, at+glancing/4+typed, utf8.RuneCountInString(s.typed), total)
		at += glancing/4 + typed + min(longest, s.took)
		fmt.Fprintf(&d.body, `<g class="o%d">`, i)
		for _, l := range s.output {
			d.text(l)
			d.line++
		}
		d.body.WriteString("</g>\n")
		d.line++ // a blank before the next command
		d.appears(fmt.Sprintf("o%d", i), at, total)
		moves = append(moves, move{at, max(0, d.line-1-rows)})
		at += glancing + time.Duration(len(s.output))*reading
	}
	d.scrolls(moves, total)
	return d.svg(rows)
}

// move is the number of lines scrolled out from a moment on.
type move struct {
	at    time.Duration
	lines int
}

// lengthOf returns the duration of the animation.
func lengthOf(steps []step) (total time.Duration) {
	for _, s := range steps {
		total += glancing/4 + time.Duration(utf8.RuneCountInString(s.typed))*typing + min(longest, s.took)
		total += glancing + time.Duration(len(s.output))*reading
	}
	return total
}

// text draws a line.
func (d *drawing) text(l line) { d.textAt(0, l) }

// textAt draws a line starting at a column. It sets the text length, to keep columns
// aligned in any font.
func (d *drawing) textAt(column int, l line) {
	if len(l) == 0 {
		return
	}
	fmt.Fprintf(&d.body, `<text x="%.1f" y="%d" textLength="%.1f">`, margin+float64(column)*cellWidth, margin+14+d.line*cellHeight, float64(l.columns())*cellWidth)
	for _, s := range l {
		text := html.EscapeString(s.text)
		if class := s.class(); class != "" {
			text = fmt.Sprintf(`<tspan class="%s">%s</tspan>`, class, text)
		}
		d.body.WriteString(text)
	}
	d.body.WriteString("</text>\n")
}

// class returns the CSS classes of a style.
func (s style) class() string {
	var names []string
	add := func(on bool, name string) {
		if on {
			names = append(names, name)
		}
	}
	add(s.bold, "b")
	add(s.dim, "d")
	add(s.underlined, "u")
	add(s.colour != 0, fmt.Sprintf("c%d", s.colour))
	return strings.Join(names, " ")
}

// share formats a moment as a percentage of the total.
func share(at, total time.Duration) string {
	return fmt.Sprintf("%.3f%%", 100*at.Seconds()/total.Seconds())
}

// appears hides a class until a moment.
func (d *drawing) appears(class string, at, total time.Duration) {
	fmt.Fprintf(&d.style, ".%s{animation:%s %.2fs step-end infinite}@keyframes %s{0%%{opacity:0}%s,100%%{opacity:1}}\n", class, class, total.Seconds(), class, share(at, total))
}

// isTyped reveals a class character by character.
func (d *drawing) isTyped(class string, from, to time.Duration, characters int, total time.Duration) {
	fmt.Fprintf(&d.style, ".%s{animation:%s %.2fs infinite}@keyframes %s{0%%,%s{clip-path:inset(-4px 100%% -4px 0);animation-timing-function:steps(%d)}%s,100%%{clip-path:inset(-4px 0 -4px 0)}}\n",
		class, class, total.Seconds(), class, share(from, total), characters, share(to, total))
}

// scrolls moves all lines up at the given moments.
func (d *drawing) scrolls(moves []move, total time.Duration) {
	up := func(lines int) string { return fmt.Sprintf("transform:translateY(-%dpx)", lines*cellHeight) }
	fmt.Fprintf(&d.style, ".s{animation:s %.2fs step-end infinite;%s}@keyframes s{", total.Seconds(), up(moves[len(moves)-1].lines))
	for _, m := range moves {
		fmt.Fprintf(&d.style, "%s{%s}", share(m.at, total), up(m.lines))
	}
	d.style.WriteString("}\n")
}

// svg returns the complete SVG with the given number of lines.
func (d *drawing) svg(lines int) []byte {
	width, height := 2*margin+columns*cellWidth, 2*margin+lines*cellHeight
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<style>\n%s%s</style>\n", look, d.style.Bytes())
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%.0f" height="%d" rx="8" fill="var(--back)" stroke="var(--edge)"/>`+"\n", width-1, height-1)
	fmt.Fprintf(&b, `<clipPath id="w"><rect x="0" y="%d" width="%.0f" height="%d"/></clipPath>`+"\n", margin, width, lines*cellHeight)
	fmt.Fprintf(&b, "<g clip-path=\"url(#w)\"><g class=\"s\">\n%s</g></g>\n</svg>\n", d.body.Bytes())
	return b.Bytes()
}
