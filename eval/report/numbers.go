package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// symbols is a template in the signs of logic, which are narrow.
func symbols(template string) string {
	return strings.NewReplacer(" AND ", "∧", " OR ", "∨", "NOT ", "¬").Replace(template)
}

func figure(v float64) string { return fmt.Sprintf("%.4f", v) }

// three are the digits of the paper.
func three(v float64) string { return minus(fmt.Sprintf("%.3f", v)) }

// change is a difference with as many.
func change(v float64) string { return Signed(v, 3) }

// Signed is a number with its sign. What rounds to 0 has none.
func Signed(v float64, digits int) string {
	s := fmt.Sprintf("%+.*f", digits, v)
	if strings.Trim(s, "+-0.") == "" {
		return s[1:]
	}
	return minus(s)
}

// Interval is a difference with its interval, empty where there is none.
func Interval(in *stats.Interval, digits int) string {
	if in == nil {
		return ""
	}
	return Signed(in.Value, digits) + " " + Range(in.Low, in.High, digits)
}

// Range is an interval without what it is of.
func Range(low, high float64, digits int) string {
	return "[" + Signed(low, digits) + ", " + Signed(high, digits) + "]"
}

// percent is a share as a gain, +24.1 %, and empty where it has no value.
func percent(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return Signed(100*v, 1) + " %"
}

// gain is that over the baseline, without its interval.
func (row *Row) gain() string {
	if row.Gain == nil {
		return ""
	}
	return percent(row.Gain.Value)
}

// gained is a relative gain with its interval, empty where there is none.
func gained(in *stats.Interval) string {
	if in == nil {
		return ""
	}
	return percent(in.Value) + " " + Range(100*in.Low, 100*in.High, 1)
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// Probability is a p-value with two digits that count.
func Probability(p float64) string {
	switch {
	case p < 1e-15:
		return "< 1e-15"
	case p < 0.001:
		return fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf("%.2g", p)
}
