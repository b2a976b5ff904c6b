package progress

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// line is the progress in words.
func (b *Bar) line() string {
	var text strings.Builder
	if b.o.Title != "" {
		text.WriteString(b.o.Title + ": ")
	}
	text.WriteString(strings.Join(append([]string{b.o.Unit.amount(b.n, b.o.Total)}, b.facts()...), ", "))
	return text.String()
}

// facts are the parts of a line after the amount, the most useful one first.
func (b *Bar) facts() []string {
	var facts []string
	if b.o.Total > 0 {
		facts = append(facts, percent(b.n, b.o.Total))
	}
	if left, ok := b.left(); ok {
		facts = append(facts, clock(left)+" left")
	}
	if b.rate > 0 {
		facts = append(facts, b.o.Unit.rate(b.rate))
	}
	return facts
}

func percent(n, total int64) string {
	return fmt.Sprintf("%d%%", int(100*min(float64(n)/float64(total), 1)))
}

const (
	minBar = 10
	maxBar = 40
)

// draw writes the bar over the one that is there. It keeps off the last column,
// where some terminals begin a new line. A title gets half of the room at most.
// Where there is little the bar goes first, then the facts from the least useful
// on.
func (b *Bar) draw() {
	room := max(b.o.Width()-1, 0)
	facts := append([]string{b.o.Unit.amount(b.n, b.o.Total)}, b.facts()...)
	title := Cut(b.o.Title, room/2)
	text := join(title, facts)
	for Columns(text) > room && len(facts) > 1 {
		facts = facts[:len(facts)-1]
		text = join(title, facts)
	}
	if bar := min(room-Columns(text)-4, maxBar); b.o.Total > 0 && bar >= minBar {
		full := int(float64(bar) * min(float64(b.n)/float64(b.o.Total), 1))
		text = join(title, append([]string{"[" + strings.Repeat("=", full) + strings.Repeat(" ", bar-full) + "]"}, facts...))
	}
	text = Cut(text, room)
	now := Columns(text)
	// Spaces instead of an escape sequence, which not every terminal knows.
	text += strings.Repeat(" ", max(min(b.columns, room)-now, 0))
	b.write("\r" + text)
	b.columns = now
}

// erase takes the bar away.
func (b *Bar) erase() {
	if b.columns > 0 {
		b.write("\r" + strings.Repeat(" ", min(b.columns, max(b.o.Width()-1, 0))) + "\r")
		b.columns = 0
	}
}

func join(title string, facts []string) string {
	text := strings.Join(facts, "  ")
	if title != "" {
		text = title + "  " + text
	}
	return text
}

// Columns is how much room a text takes on a terminal.
func Columns(text string) int {
	n := 0
	for _, r := range text {
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

// Cut is as much of the beginning of a text as there is room for.
func Cut(text string, room int) string {
	for i, r := range text {
		if room -= runeColumns(r); room < 0 {
			return text[:i]
		}
	}
	return text
}

// clean makes a text that stays on its line.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
