package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// Study compares ways of comparing documents with passages, on several sets and encoders,
// each of which is a column of its tables.
type Study struct {
	Columns []Column
	Command string // command that printed the tables
	Options Options
}

// Column is a set with an encoder. It needs the outcome of plain retrieval by whole
// documents, and the outcomes of one other method with each of the ways.
type Column struct {
	Set, Encoder string
	Documents    int
	Outcomes     []lab.Outcome
}

func (c *Column) name() string { return c.Set + ", " + c.Encoder }

// series holds the values of one row in one column.
type series struct {
	strata []string // template of each query
	values []float64
	lab.Summary
}

func seriesOf(o lab.Outcome) *series {
	s := &series{Summary: lab.Summarize(o)}
	s.values, _ = values(o)
	for i := range o.Queries {
		s.strata = append(s.strata, o.Queries[i].Query.Template)
	}
	return s
}

// way is one way of comparing documents.
type way struct {
	how     lab.Passages
	columns []*series
}

// Passages writes two tables: the gain of each way over plain retrieval with one vector per
// document, and its difference from the way of collections.
func (s Study) Passages(w io.Writer, f Format) error {
	ways, err := s.ways()
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	gains, err := s.gains(ways[0], ways[1:])
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	differences, err := s.differences(ways[1:])
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	return WriteTables(w, f, gains, differences)
}

// ways returns the ways of the first column, in order, with the series of all columns. The
// first is plain retrieval.
func (s Study) ways() ([]way, error) {
	plain := func(o lab.Outcome) bool { return o.Method.String() == baseline && o.Passages == lab.Whole }
	out := []way{{}}
	for _, o := range s.Columns[0].Outcomes {
		if !plain(o) {
			out = append(out, way{how: o.Passages})
		}
	}
	for i := range s.Columns {
		c := &s.Columns[i]
		for k := range out {
			at := slices.IndexFunc(c.Outcomes, func(o lab.Outcome) bool {
				return plain(o) == (k == 0) && (k == 0 || o.Passages == out[k].how)
			})
			if at < 0 {
				return nil, fmt.Errorf("%s has no outcome of %s, or none of plain retrieval by whole documents; give all columns the same", c.name(), out[k].how)
			}
			out[k].columns = append(out[k].columns, seriesOf(c.Outcomes[at]))
		}
	}
	return out, nil
}

// comparison describes how ways are compared with one of them.
type comparison struct {
	caption, label string
	base           way
	of             func(base, method []float64, strata []string) (*stats.Interval, error)
	show           func(*stats.Interval) cell
	head           []string
	last           func(k int, values []float64) []cell // last cells of the k-th way
	notes          []string
}

// table returns a table with a row for each way.
func (s Study) table(ways []way, c comparison) (*Table, [][]float64, error) {
	t := NewTable(2, "document", "title")
	var about []string
	for i := range s.Columns {
		column := &s.Columns[i]
		t.Head = append(t.Head, column.name())
		about = append(about, fmt.Sprintf("%s: %d documents, %d queries", column.name(), column.Documents, len(column.Outcomes[0].Queries)))
	}
	t.Head = append(t.Head, c.head...)
	t.Caption, t.Label = c.caption+" "+strings.Join(about, "; ")+".", c.label
	var values [][]float64
	for k, w := range ways {
		row := words(w.how.Way(), "")
		if w.how != lab.Whole {
			row[1].Text = w.how.Title().String()
		}
		var own []float64
		for i, column := range w.columns {
			in, err := c.of(c.base.columns[i].values, column.values, column.strata)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", s.Columns[i].name(), err)
			}
			row, own = append(row, c.show(in)), append(own, in.Value)
		}
		values = append(values, own)
		t.Rows = append(t.Rows, line{Rule: k > 0 && w.how.Way() != ways[k-1].how.Way(), Cells: append(row, c.last(k, own)...)})
	}
	t.Notes = append(append(c.notes, "Intervals are 95 %, from queries resampled within their templates."), PrintedBy(s.Command)...)
	return t, values, nil
}

// gains returns the table of gains over plain retrieval.
func (s Study) gains(plain way, ways []way) (*Table, error) {
	best, cells := leaders(ways)
	var means []string
	for i, c := range plain.columns {
		means = append(means, figure(c.MAP)+" on "+s.Columns[i].name())
	}
	t, values, err := s.table(ways, comparison{
		caption: "Gain in mAP@100 over one vector per document and the query as one string.", label: "tab:passages",
		base: plain, of: s.Options.RelativeGain, show: func(in *stats.Interval) cell { return cell{Text: gained(in)} },
		head: []string{"mean", "best"},
		last: func(k int, values []float64) []cell { return words(percent(stats.Mean(values)), strconv.Itoa(best[k])) },
		notes: []string{
			bestMarked + fmt.Sprintf(" The mean is over columns. Best: the number of cells, out of %d (one per template and column), in which no other way is better.", cells),
			"Plain retrieval: " + strings.Join(means, "; ") + ".",
		},
	})
	if err != nil {
		return nil, err
	}
	for k := range values {
		values[k] = append(values[k], stats.Mean(values[k]))
	}
	markBest(t.Rows, values, t.Left)
	return t, nil
}

// leaders counts the cells in which each way is unbeaten.
func leaders(ways []way) (best []int, cells int) {
	best = make([]int, len(ways))
	for i, first := range ways[0].columns {
		for c := range first.Templates {
			most := 0.0
			for _, w := range ways {
				most = max(most, w.columns[i].Templates[c].MAP)
			}
			for k, w := range ways {
				if w.columns[i].Templates[c].MAP == most {
					best[k]++
				}
			}
			cells++
		}
	}
	return best, cells
}

// differences returns the table of differences from the way of collections.
func (s Study) differences(ways []way) (*Table, error) {
	usual := slices.IndexFunc(ways, func(w way) bool { return w.how == lab.Stored })
	if usual < 0 {
		return nil, fmt.Errorf("no outcome of %s, the way of collections; add it", lab.Stored)
	}
	base := ways[usual]
	t, _, err := s.table(ways, comparison{
		caption: fmt.Sprintf("Difference in mAP@100 from %s, title as %s: the way of collections.", base.how.Way(), base.how.Title()), label: "tab:passages-usual",
		base: base, of: s.Options.Difference, show: func(in *stats.Interval) cell {
			if in.Low == in.High { // compared with itself
				return cell{}
			}
			return cell{Text: Interval(in, 4), Best: in.Low > 0 || in.High < 0}
		},
		head: []string{"above", "below"},
		last: func(k int, _ []float64) []cell {
			above, below := 0, 0
			for i, c := range ways[k].columns {
				for j := range c.Templates {
					switch d := c.Templates[j].MAP - base.columns[i].Templates[j].MAP; {
					case d > 0:
						above++
					case d < 0:
						below++
					}
				}
			}
			return words(strconv.Itoa(above), strconv.Itoa(below))
		},
		notes: []string{"Marked: intervals that exclude 0. Above, below: the number of cells (one per template and column) in which it is better or worse."},
	})
	return t, err
}
