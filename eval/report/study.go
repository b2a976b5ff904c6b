package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/lab"
)

// Study is one question asked of several sets and encoders, each of which is a
// column of its tables.
type Study struct {
	Columns []Column
	Command string // that printed the tables
	Options Options
}

// Column is a set with an encoder.
type Column struct {
	Set, Encoder string
	Documents    int
	Outcomes     []lab.Outcome     // for Passages
	Orders       []lab.SecondOrder // for SecondOrder
}

func (c *Column) name() string { return c.Set + ", " + c.Encoder }

// series is what one row of a study has in one column.
type series struct {
	strata []string // the template of each query
	values []float64
	cells  []lab.TemplateSummary
}

func seriesOf(queries []lab.Measured) *series {
	s := &series{strata: strataOf(queries), cells: lab.Summarize(lab.Outcome{Queries: queries}).Templates}
	s.values, _ = values(lab.Outcome{Queries: queries})
	return s
}

// strataOf are the templates of queries, by which they are resampled.
func strataOf(queries []lab.Measured) (out []string) {
	for i := range queries {
		out = append(out, queries[i].Query.Template)
	}
	return out
}

// mean is over templates.
func (s *series) mean() float64 {
	sum := 0.0
	for _, c := range s.cells {
		sum += c.MAP
	}
	return sum / float64(len(s.cells))
}

// difference is that of two series with its interval, and whether that leaves 0
// out.
func (s Study) difference(base, method *series) (text string, sure bool, err error) {
	in, err := s.Options.Difference(base.values, method.values, base.strata)
	if err != nil {
		return "", false, err
	}
	return Interval(in, 4), in.Low > 0 || in.High < 0, nil
}

// about says what the columns are.
func (s Study) about(queries func(*Column) []lab.Measured) string {
	text := ""
	for i := range s.Columns {
		c := &s.Columns[i]
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s: %d documents, %d queries", c.name(), c.Documents, len(queries(c)))
	}
	return text + "."
}

// end is what stands below the tables of a study.
func (s Study) end() []string {
	return append([]string{"Intervals are of 95 %, from queries resampled within their templates."}, printedBy(s.Command)...)
}

// SecondOrder writes the table of weights of the second order, each beside the
// first of them.
func (s Study) SecondOrder(w io.Writer, f Format) error {
	t := &Table{
		Caption: "The second order on A∧B∧C, mAP@100. " + s.about(func(c *Column) []lab.Measured { return c.Orders[0].Queries }),
		Label:   "tab:second", Head: []string{"weight"}, Left: 1,
	}
	for i := range s.Columns {
		t.Head = append(t.Head, s.Columns[i].name(), "difference")
	}
	for k, first := range s.Columns[0].Orders {
		cells := words(strconv.FormatFloat(first.Weight, 'g', -1, 64))
		for i := range s.Columns {
			orders := s.Columns[i].Orders
			own := seriesOf(orders[k].Queries)
			cells = append(cells, cell{Text: figure(own.mean())})
			text, sure := "", false
			if k > 0 {
				var err error
				if text, sure, err = s.difference(seriesOf(orders[0].Queries), own); err != nil {
					return fmt.Errorf("making the table of the second order: %w", err)
				}
			}
			cells = append(cells, cell{Text: text, Best: sure})
		}
		t.Rows = append(t.Rows, line{Cells: cells})
	}
	t.Notes = append([]string{"The weight is that of what pairs of atoms bring, F_ij − max(a_i, a_j), beside the score of the first order. Marked: intervals that leave 0 out."}, s.end()...)
	return t.Write(w, f)
}
