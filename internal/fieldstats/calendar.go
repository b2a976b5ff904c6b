package fieldstats

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nsfl-go/nsfl/internal/predicate"
)

// calendar counts times by days and, where these are too many, by months and then by years.
type calendar struct {
	counts map[string]int // by the beginning of the text
	letter int            // how much of it; 0: a day
}

// spans are what times are counted by: how many letters of a text say which it is, and of
// years how many are one span.
var spans = []struct{ letters, years int }{{10, 0}, {7, 0}, {4, 1}, {4, 10}, {4, 100}, {4, 1000}}

// add counts a time of a number of documents.
func (c *calendar) add(text string, n int) {
	if c.letter == 0 {
		c.letter = spans[0].letters
	}
	c.counts[text[:c.letter]] += n
	for i := 1; len(c.counts) > finest && spans[i].years < 10; i++ {
		c.letter = min(c.letter, spans[i].letters)
		counts := map[string]int{}
		for key, n := range c.counts {
			counts[key[:c.letter]] += n
		}
		c.counts = counts
	}
}

// spans returns at most `most` days, months, years, decades, centuries or millennia, in order.
func (c *calendar) spans(most int) ([]Bucket, layout) {
	for i, s := range spans {
		if s.letters > c.letter {
			continue
		}
		counts := map[string]int{}
		for key, n := range c.counts {
			counts[spanOf(key, s.letters, s.years)] += n
		}
		if len(counts) > most && i < len(spans)-1 {
			continue
		}
		var out []Bucket
		at := map[string]int{}
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			at[key] = len(out)
			out = append(out, Bucket{From: key, To: after(key, s.years), Count: counts[key]})
		}
		return out, func(v *predicate.Value) int {
			if IsTime(v.Text) {
				if i, ok := at[spanOf(v.Text, s.letters, s.years)]; ok {
					return i
				}
			}
			return -1
		}
	}
	return nil, func(*predicate.Value) int { return -1 }
}

// spanOf is the first day, month or year of the span that a time is in.
func spanOf(text string, letters, years int) string {
	if years < 2 {
		return text[:letters]
	}
	year, _ := strconv.Atoi(text[:4]) // which has been looked at
	return fmt.Sprintf("%04d", year/years*years)
}

// after is the next day, month, or year after a span: every time of it is before that, as a
// text.
func after(key string, years int) string {
	if years > 0 {
		year, _ := strconv.Atoi(key)
		if year += years; year > 9999 {
			return ":" // which is behind all digits
		}
		return fmt.Sprintf("%04d", year)
	}
	form, days, months := "2006-01-02"[:len(key)], 1, 0
	if len(key) < len("2006-01-02") {
		days, months = 0, 1
	}
	if t, err := time.Parse(form, key); err == nil && t.Year() < 9999 {
		return t.AddDate(0, months, days).Format(form)
	}
	last, _ := strconv.Atoi(key[len(key)-2:]) // a day that is in no calendar
	return fmt.Sprintf("%s%02d", key[:len(key)-2], last+1)
}
