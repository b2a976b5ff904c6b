package report

import (
	"fmt"

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
	Outcomes     []lab.Outcome
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
func (s Study) about() string {
	text := ""
	for i := range s.Columns {
		c := &s.Columns[i]
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s: %d documents, %d queries", c.name(), c.Documents, len(c.Outcomes[0].Queries))
	}
	return text + "."
}

// end is what stands below the tables of a study.
func (s Study) end() []string {
	return append([]string{"Intervals are of 95 %, from queries resampled within their templates."}, PrintedBy(s.Command)...)
}
