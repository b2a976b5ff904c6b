package progress

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"
)

// line returns the state of the task.
func (b *Bar) line() string {
	parts := []string{b.amount()}
	if b.o.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d%%", int(100*min(float64(b.n)/float64(b.o.Total), 1))))
	}
	rate, since := b.rate(), b.o.Now().Sub(b.began)
	seconds := float64(b.o.Total-b.n) / rate
	if b.work != nil {
		done, left := b.work()
		seconds = left / done * since.Seconds()
	}
	if b.o.Total > 0 && b.n <= b.o.Total && rate > 0 && seconds <= 1e6 && since >= leftAfter {
		parts = append(parts, clock(time.Duration(seconds*float64(time.Second)))+" left")
	}
	if b.more != nil {
		parts = append(parts, b.more())
	}
	text := strings.Join(parts, ", ")
	if b.o.Title != "" {
		text = b.o.Title + ": " + text
	}
	return text
}

// amount returns how much is done, and of how much.
func (b *Bar) amount() string {
	show := func(n int64) string {
		if b.o.Unit == Bytes {
			return fmt.Sprintf("%.1f", float64(n)/1e6)
		}
		return strconv.FormatInt(n, 10)
	}
	text := show(b.n)
	if b.o.Total > 0 {
		text += " of " + show(b.o.Total)
	}
	return strings.TrimRight(text+" "+b.o.Unit, " ")
}

// clock formats a duration like a clock: 0:07, 12:34, 1:02:03.
func clock(d time.Duration) string {
	s := int64(math.Ceil(d.Seconds()))
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// draw writes the line over the previous one. It avoids the last column, where some
// terminals wrap.
func (b *Bar) draw() {
	room := max(b.o.Width()-1, 0)
	text := []rune(b.line())
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
