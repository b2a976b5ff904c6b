package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is how a table is written.
type Format uint8

const (
	Text     Format = iota // aligned, for a terminal of 120 columns
	Markdown               // a pipe table
	LaTeX                  // booktabs
	CSV                    // without captions and notes
)

var formatNames = [...]string{"text", "markdown", "latex", "csv"}

func (f Format) String() string { return formatNames[f] }

// ParseFormat is the format of a name.
func ParseFormat(s string) (Format, error) {
	if i := slices.Index(formatNames[:], s); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("unknown format %q: it is one of %s", s, strings.Join(formatNames[:], ", "))
}

// table is what all formats write.
type table struct {
	caption string
	label   string // in LaTeX
	head    []string
	left    int // columns from the left that hold words; all others hold figures
	rows    []line
	notes   []string
}

// line is a row of a table.
type line struct {
	rule  bool   // a rule stands above it
	title string // over the whole width; there are no cells then
	cells []cell
}

// cell is a figure or a word.
type cell struct {
	text string
	best bool // the best of its column, or what else is to be marked
}

func words(texts ...string) []cell {
	var out []cell
	for _, t := range texts {
		out = append(out, cell{text: t})
	}
	return out
}

// markBest marks the largest value of each column among some rows: every cell
// that is printed as the best one is.
func markBest(rows []line, values [][]float64, first int) {
	if len(values) == 0 {
		return
	}
	for c := range values[0] {
		best := 0
		for i := range values {
			if values[i][c] > values[best][c] {
				best = i
			}
		}
		for i := range rows {
			if rows[i].cells[first+c].text == rows[best].cells[first+c].text {
				rows[i].cells[first+c].best = true
			}
		}
	}
}

func (t *table) write(w io.Writer, f Format) error {
	switch f {
	case Markdown:
		return t.markdown(w)
	case LaTeX:
		return t.latex(w)
	case CSV:
		return t.csv(w)
	}
	return t.text(w)
}

// symbols is a template in the signs of logic, which are narrow.
func symbols(template string) string {
	return strings.NewReplacer(" AND ", "∧", " OR ", "∨", "NOT ", "¬").Replace(template)
}

func figure(v float64) string { return fmt.Sprintf("%.4f", v) }

func signed(v float64) string { return minus(fmt.Sprintf("%+.4f", v)) }

// percent is a share as a gain: +24.1 %.
func percent(v float64) string { return minus(fmt.Sprintf("%+.1f %%", 100*v)) }

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// probability is a p-value with two digits that count.
func probability(p float64) string {
	switch {
	case p < 1e-15:
		return "< 1e-15"
	case p < 0.001:
		return fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf("%.2g", p)
}
