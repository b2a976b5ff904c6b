package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/lab"
)

// Passages writes two tables of the ways to compare documents that have passages:
// the gain of each over plain retrieval with one vector per document, and its
// difference to what collections do. Each column needs the outcome of plain
// retrieval by wholes, and those of one other method with each of the ways.
func (s Study) Passages(w io.Writer, f Format) error {
	ways, err := s.ways()
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	gains, err := s.gains(ways)
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	differences, err := s.differences(ways)
	if err != nil {
		return fmt.Errorf("making the tables of passages: %w", err)
	}
	return WriteTables(w, f, gains, differences)
}

// way is one way to compare documents.
type way struct {
	how     lab.Passages
	columns []*series
}

// ways are those of the first column, in its order, with the series of all. The
// first of them is plain retrieval.
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
				return nil, fmt.Errorf("%s has no outcome of %s, or none of plain retrieval by wholes; give all columns the same", c.name(), out[k].how)
			}
			out[k].columns = append(out[k].columns, seriesOf(c.Outcomes[at].Queries))
		}
	}
	return out, nil
}

// frame is a table without its rows.
func (s Study) frame(caption, label string, last ...string) *Table {
	t := &Table{
		Caption: caption + " " + s.about(),
		Label:   label, Head: []string{"document", "title"}, Left: 2,
	}
	for i := range s.Columns {
		t.Head = append(t.Head, s.Columns[i].name())
	}
	t.Head = append(t.Head, last...)
	return t
}

func (w *way) key() []cell {
	if w.how == lab.Whole {
		return words(w.how.Way(), "")
	}
	return words(w.how.Way(), w.how.Title().String())
}

// gains is the table of gains over plain retrieval.
func (s Study) gains(ways []way) (*Table, error) {
	t := s.frame("Gain in mAP@100 over one vector per document and the query as one string.", "tab:passages", "mean", "best")
	plain, ways := ways[0], ways[1:]
	best, cells := leaders(ways)
	var values [][]float64
	for k, w := range ways {
		row := w.key()
		var own []float64
		sum := 0.0
		for i, c := range w.columns {
			in, err := s.Options.RelativeGain(plain.columns[i].values, c.values, c.strata)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Columns[i].name(), err)
			}
			row = append(row, cell{Text: gained(in)})
			own = append(own, in.Value)
			sum += in.Value
		}
		own = append(own, sum/float64(len(w.columns)))
		values = append(values, own)
		row = append(row, words(percent(own[len(own)-1]), strconv.Itoa(best[k]))...)
		t.Rows = append(t.Rows, line{Rule: k > 0 && w.how.Way() != ways[k-1].how.Way(), Cells: row})
	}
	markBest(t.Rows, values, t.Left)
	means := "Plain retrieval has "
	for i, c := range plain.columns {
		if i > 0 {
			means += "; "
		}
		means += figure(c.mean()) + " on " + s.Columns[i].name()
	}
	t.Notes = append([]string{
		bestMarked + fmt.Sprintf(" The mean is over columns. Best: in how many of the %d cells, a template of a column each, no other way has more.", cells), means + ".",
	}, s.end()...)
	return t, nil
}

// leaders counts the cells in which no way has more than each.
func leaders(ways []way) (best []int, cells int) {
	best = make([]int, len(ways))
	for i, first := range ways[0].columns {
		for c := range first.cells {
			most := 0.0
			for _, w := range ways {
				most = max(most, w.columns[i].cells[c].MAP)
			}
			for k, w := range ways {
				if w.columns[i].cells[c].MAP == most {
					best[k]++
				}
			}
			cells++
		}
	}
	return best, cells
}

// differences is the table of differences to what collections do.
func (s Study) differences(ways []way) (*Table, error) {
	usual := slices.IndexFunc(ways[1:], func(w way) bool { return w.how == lab.WholeMax }) + 1
	if usual == 0 {
		return nil, fmt.Errorf("there is no outcome of %s, which collections go by; add it", lab.WholeMax)
	}
	base := ways[usual]
	t := s.frame(fmt.Sprintf("Difference in mAP@100 to %s, title as %s: what collections do.", base.how.Way(), base.how.Title()), "tab:passages-usual", "above", "below")
	for k, w := range ways[1:] {
		row := w.key()
		above, below := 0, 0
		for i, c := range w.columns {
			text, sure, err := s.difference(base.columns[i], c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Columns[i].name(), err)
			}
			if w.how == base.how {
				text, sure = "", false
			}
			row = append(row, cell{Text: text, Best: sure})
			for j := range c.cells {
				switch d := c.cells[j].MAP - base.columns[i].cells[j].MAP; {
				case d > 0:
					above++
				case d < 0:
					below++
				}
			}
		}
		row = append(row, words(strconv.Itoa(above), strconv.Itoa(below))...)
		t.Rows = append(t.Rows, line{Rule: k > 0 && w.how.Way() != ways[k].how.Way(), Cells: row})
	}
	t.Notes = append([]string{"Marked: intervals that leave 0 out. Above, below: in how many cells, a template of a column each, it has more or less."}, s.end()...)
	return t, nil
}
