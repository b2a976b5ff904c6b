package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// symbols writes a template with the symbols of logic, which are narrow.
func symbols(template string) string {
	return strings.NewReplacer(" AND ", "∧", " OR ", "∨", "NOT ", "¬").Replace(template)
}

func figure(v float64) string { return fmt.Sprintf("%.4f", v) }

// three formats a number with three digits, as in the paper.
func three(v float64) string { return minus(fmt.Sprintf("%.3f", v)) }

// change formats a difference with three digits.
func change(v float64) string { return Signed(v, 3) }

// Signed formats a number with its sign, or without one if it rounds to 0.
func Signed(v float64, digits int) string {
	s := fmt.Sprintf("%+.*f", digits, v)
	if strings.Trim(s, "+-0.") == "" {
		return s[1:]
	}
	return minus(s)
}

// Interval formats a difference with its interval, or returns an empty string for nil.
func Interval(in *stats.Interval, digits int) string {
	if in == nil {
		return ""
	}
	return Signed(in.Value, digits) + " " + bounds(in.Low, in.High, digits)
}

// bounds formats the ends of an interval.
func bounds(low, high float64, digits int) string {
	return "[" + Signed(low, digits) + ", " + Signed(high, digits) + "]"
}

// percent formats a share as a gain, +24.1 %, or returns an empty string for NaN.
func percent(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return Signed(100*v, 1) + " %"
}

// gain formats the gain over the baseline, without its interval.
func (row *Row) gain() string {
	if row.Gain == nil {
		return ""
	}
	return percent(row.Gain.Value)
}

// gained formats a relative gain with its interval, or returns an empty string for nil.
func gained(in *stats.Interval) string {
	if in == nil {
		return ""
	}
	return percent(in.Value) + " " + bounds(100*in.Low, 100*in.High, 1)
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// probability formats a p-value with two significant digits.
func probability(p float64) string {
	switch {
	case p < 1e-15:
		return "< 1e-15"
	case p < 0.001:
		return fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf("%.2g", p)
}
