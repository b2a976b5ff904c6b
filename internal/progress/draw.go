package progress

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

func (b *Bar) line() string {
	text := strings.Join(b.facts(), ", ")
	if b.o.Title != "" {
		text = b.o.Title + ": " + text
	}
	return text
}

// facts returns the parts of a line, most useful first.
func (b *Bar) facts() []string {
	facts := []string{b.o.Unit.amount(b.n, b.o.Total)}
	if b.o.Total > 0 {
		facts = append(facts, fmt.Sprintf("%d%%", int(100*b.share())))
	}
	rate := b.rate()
	since := b.o.Now().Sub(b.began)
	seconds := float64(b.o.Total-b.n) / rate
	if b.work != nil {
		done, left := b.work()
		seconds = left / done * since.Seconds()
	}
	if b.o.Total > 0 && b.n <= b.o.Total && rate > 0 && seconds <= 1e6 && since >= leftAfter {
		facts = append(facts, clock(time.Duration(seconds*float64(time.Second)))+" left")
	}
	switch {
	case rate == 0:
	case b.more != nil:
		facts = append(facts, b.more())
	default:
		facts = append(facts, b.o.Unit.rate(rate))
	}
	return facts
}

// share returns the completed fraction of the total.
func (b *Bar) share() float64 { return min(float64(b.n)/float64(b.o.Total), 1) }

const (
	minBar = 10
	maxBar = 40
)

// draw draws the bar over the previous one. It avoids the last column, where some
// terminals wrap. If space is short, it omits the bar, then the end of the text.
func (b *Bar) draw() {
	room := max(b.o.Width()-1, 0)
	facts := strings.Join(b.facts(), "  ")
	title := ""
	if b.o.Title != "" {
		title = b.o.Title + "  "
	}
	if bar := min(room-utf8.RuneCountInString(title+facts)-4, maxBar); b.o.Total > 0 && bar >= minBar {
		full := int(float64(bar) * b.share())
		title += "[" + strings.Repeat("=", full) + strings.Repeat(" ", bar-full) + "]  "
	}
	text := []rune(title + facts)
	text = text[:min(len(text), room)]
	// Spaces instead of an escape sequence, which not every terminal supports.
	b.write("\r" + string(text) + strings.Repeat(" ", max(min(b.columns, room)-len(text), 0)))
	b.columns = len(text)
}

func (b *Bar) erase() {
	if b.columns > 0 {
		b.write("\r" + strings.Repeat(" ", min(b.columns, max(b.o.Width()-1, 0))) + "\r")
		b.columns = 0
	}
}

// colours matches the sequences that colour text.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Columns returns the width of a text on a terminal, which may be coloured.
func Columns(text string) int {
	n := 0
	for _, r := range colours.ReplaceAllString(text, "") {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Cut returns the longest prefix of a text that fits.
func Cut(text string, room int) string {
	for i, r := range text {
		if room -= runeColumns(r); room < 0 {
			return text[:i]
		}
	}
	return text
}
