package progress

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Unit is the unit of progress. The zero value counts without a name.
type Unit struct {
	name  string
	bytes bool
}

// Bytes counts bytes, and shows them as kB, MB and so on.
var Bytes = Unit{bytes: true}

// Items counts named items; name is a plural such as "documents".
func Items(name string) Unit { return Unit{name: name} }

// amount formats n of total; a total of 0 is unknown.
func (u Unit) amount(n, total int64) string {
	show := grouped
	if u.bytes {
		show = func(n int64) string { return size(float64(n)) }
	}
	text := show(n)
	if total > 0 {
		text += " of " + show(total)
	}
	if u.name != "" {
		text += " " + u.name
	}
	return text
}

func (u Unit) rate(perSecond float64) string {
	switch {
	case u.bytes:
		return size(perSecond) + "/s"
	case perSecond < 10:
		return strconv.FormatFloat(perSecond, 'f', 1, 64) + "/s"
	}
	return grouped(int64(math.Min(perSecond, math.MaxInt64/2))) + "/s"
}

// size formats a number of bytes with about three digits.
func size(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.0f B", n)
	}
	prefixes := "kMGTPE"
	i := 0
	for n /= 1000; n >= 999.5 && i < len(prefixes)-1; i++ {
		n /= 1000
	}
	digits := 2
	if n >= 99.95 {
		digits = 0
	} else if n >= 9.995 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %cB", digits, n, prefixes[i])
}

// grouped formats a number with thousands separators.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// clock formats a duration like a clock: 0:07, 12:34, 1:02:03.
func clock(d time.Duration) string {
	s := int64(math.Ceil(d.Seconds()))
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
