package fieldstats

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nsfl-go/nsfl/internal/predicate"
)

// The letters of a text that tell its day, month, year, decade, century and millennium.
var spanLetters = []int{dayLetters, 7, yearLetters, 3, 2, 1}

const (
	dayLetters  = len("2006-01-02")
	yearLetters = len("2006")
)

// spans returns at most `most` days, months, years, decades, centuries or millennia, in order, from
// counts by day.
func spans(days map[string]int, most int) ([]Bucket, layout) {
	var counts map[string]int
	var letters int
	for _, letters = range spanLetters {
		counts = map[string]int{}
		for day, n := range days {
			counts[day[:letters]] += n
		}
		if len(counts) <= most {
			break
		}
	}
	var out []Bucket
	at := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		at[key] = len(out)
		out = append(out, Bucket{From: padded(key), To: after(key), Count: counts[key]})
	}
	return out, func(v *predicate.Value) int {
		if IsTime(v.Text) {
			if i, ok := at[v.Text[:letters]]; ok {
				return i
			}
		}
		return -1
	}
}

// padded completes a decade, century or millennium to its first year.
func padded(key string) string { return key + "0000"[:max(0, yearLetters-len(key))] }

// after returns the day, month or year after a span: every time in it is before that, as a text.
func after(key string) string {
	if len(key) <= yearLetters {
		n, _ := strconv.Atoi(key) // digits
		next := fmt.Sprintf("%0*d", len(key), n+1)
		if len(next) > len(key) {
			return ":" // behind all digits
		}
		return padded(next)
	}
	form, days, months := "2006-01-02"[:len(key)], 1, 0
	if len(key) < dayLetters {
		days, months = 0, 1
	}
	if t, err := time.Parse(form, key); err == nil && t.Year() < 9999 {
		return t.AddDate(0, months, days).Format(form)
	}
	last, _ := strconv.Atoi(key[len(key)-2:]) // a day that is in no calendar
	return fmt.Sprintf("%s%02d", key[:len(key)-2], last+1)
}
