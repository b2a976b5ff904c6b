package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// short is a number with as many digits as a person reads.
type short float64

func (s short) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, math.Round(float64(s)*1e4)/1e4+0, 'f', -1, 64), nil
}

type pageData struct {
	Templates []string      `json:"templates"`
	Depth     int           `json:"depth"`
	Outcomes  []pageOutcome `json:"outcomes"`
	Queries   []pageQuery   `json:"queries"`
	Documents [][2]string   `json:"documents"` // ids and titles, where they differ from ids
	Deltas    *pageDeltas   `json:"deltas,omitempty"`
}

type pageOutcome struct {
	Method     string     `json:"method"`
	Conditions string     `json:"conditions"`
	Base       int        `json:"base"` // the outcome it is compared with, or −1
	Seconds    short      `json:"seconds"`
	Mean       pageCell   `json:"mean"`
	Cells      []pageCell `json:"cells"`
	AP         []short    `json:"ap"`     // by query
	Recall     [][]short  `json:"recall"` // at 1 … 100, of each template and of their mean
	Ranked     [][]int    `json:"ranked"` // by query: places in its documents
}

type pageCell struct {
	N    int     `json:"n,omitempty"`
	MAP  short   `json:"map"`
	Low  short   `json:"low"`
	High short   `json:"high"`
	P    *string `json:"p,omitempty"` // after the correction
}

type pageQuery struct {
	ID       string `json:"id"`
	Template int    `json:"template"`
	Text     string `json:"text,omitempty"`
	Formula  string `json:"formula"`
	R        int    `json:"r"`
	// Documents are all that a method ranked, the relevant ones first.
	Documents []int `json:"documents"`
	Relevant  int   `json:"relevant"` // how many of them are
}

type pageDeltas struct {
	Fusion     string          `json:"fusion"`
	Passages   string          `json:"passages"`
	Width      short           `json:"width"` // of a bin
	Histograms []pageHistogram `json:"histograms"`
	Queries    []candidatesOf  `json:"queries"`
	Negation   string          `json:"negation,omitempty"`
}

type pageHistogram struct {
	Rule     string `json:"rule"`
	Regime   string `json:"regime"`
	Relevant bool   `json:"relevant"`
	From     short  `json:"from"`
	Counts   []int  `json:"counts"`
}

// candidatesOf are those of a query, as plain retrieval ranks them.
type candidatesOf struct {
	Query        int       `json:"query"`
	Terms        []string  `json:"terms"`
	Fusions      []fused   `json:"fusions"`
	Documents    []int     `json:"documents"`
	Relevant     []int     `json:"relevant"` // 0 or 1
	Similarities [][]short `json:"similarities"`
}

// pageData is what the page's script draws.
func (r *Report) pageData(depth int) *pageData {
	d := &pageData{Templates: r.Templates, Depth: depth, Documents: [][2]string{}}
	places := map[string]int{}
	place := func(id string) int {
		at, known := places[id]
		if !known {
			at = len(d.Documents)
			places[id] = at
			title := clip(r.title(id), 160)
			if title == id {
				title = ""
			}
			d.Documents = append(d.Documents, [2]string{id, title})
		}
		return at
	}
	byQuery := r.rankings(d, depth, place)
	for i := range r.Rows {
		row := &r.Rows[i]
		o := pageOutcome{
			Method: row.Outcome.Method.String(), Conditions: conditions(row.Outcome), Base: row.base, Seconds: short(row.Outcome.Seconds),
			Mean: newPageCell(row.MAP), Recall: r.recalls(row.Outcome), Ranked: byQuery[i],
		}
		for _, c := range row.Cells {
			cell := newPageCell(c.Interval)
			cell.N = c.N
			if c.Against != nil {
				p := Probability(c.Against.Adjusted)
				cell.P = &p
			}
			o.Cells = append(o.Cells, cell)
		}
		for _, q := range row.Outcome.Queries {
			o.AP = append(o.AP, short(q.AP))
		}
		d.Outcomes = append(d.Outcomes, o)
	}
	d.Deltas = r.observed.page(r, depth, place)
	return d
}

func newPageCell(in stats.Interval) pageCell {
	return pageCell{MAP: short(in.Value), Low: short(in.Low), High: short(in.High)}
}

// rankings fills the queries, and gives the rankings of every outcome as places in
// the list of a query's documents, which makes them short.
func (r *Report) rankings(d *pageData, depth int, place func(string) int) [][][]int {
	out := make([][][]int, len(r.Rows))
	for i, m := range r.Rows[0].Outcome.Queries {
		q := pageQuery{
			ID: m.Query.ID, Template: slices.Index(r.Templates, m.Query.Template),
			Text: m.Query.Text, Formula: m.Query.Formula, R: m.Judged.Relevant(), Documents: []int{},
		}
		at := map[string]int{}
		for _, relevant := range []bool{true, false} {
			for k := range r.Rows {
				m := &r.Rows[k].Outcome.Queries[i]
				for rank, id := range m.Ranking[:min(depth, len(m.Ranking))] {
					if _, known := at[id]; !known && (m.Judged.Ranked[rank] > 0) == relevant {
						at[id] = len(q.Documents)
						q.Documents = append(q.Documents, place(id))
					}
				}
			}
			if relevant {
				q.Relevant = len(q.Documents)
			}
		}
		for k := range r.Rows {
			m := &r.Rows[k].Outcome.Queries[i]
			own := []int{}
			for _, id := range m.Ranking[:min(depth, len(m.Ranking))] {
				own = append(own, at[id])
			}
			out[k] = append(out[k], own)
		}
		d.Queries = append(d.Queries, q)
	}
	return out
}

// recalls are the curves of an outcome: the means over the queries of each
// template, and last the mean of those.
func (r *Report) recalls(o lab.Outcome) [][]short {
	out := make([][]short, len(r.Templates)+1)
	for k := 1; k <= lab.Depth; k++ {
		sums, counts := make([]float64, len(r.Templates)), make([]int, len(r.Templates))
		for i := range o.Queries {
			t := slices.Index(r.Templates, o.Queries[i].Query.Template)
			sums[t] += o.Queries[i].Judged.Recall(k)
			counts[t]++
		}
		all := 0.0
		for t := range sums {
			mean := sums[t] / float64(counts[t])
			out[t] = append(out[t], short(mean))
			all += mean / float64(len(sums))
		}
		out[len(sums)] = append(out[len(sums)], short(all))
	}
	return out
}

// page is what was observed, for the page, with as many candidates as the depth
// lets there be; nil where nothing was.
func (o *observed) page(r *Report, depth int, place func(string) int) *pageDeltas {
	if len(o.queries) == 0 {
		return nil
	}
	d := &pageDeltas{Fusion: o.fusion, Passages: o.passages, Width: binWidth}
	if o.negations.pairs > 0 {
		d.Negation = o.negations.String()
	}
	for key, h := range o.histograms {
		first := slices.IndexFunc(h[:], func(n int) bool { return n > 0 })
		last := bins
		for h[last-1] == 0 {
			last--
		}
		d.Histograms = append(d.Histograms, pageHistogram{key.rule, key.regime.String(), key.relevant, short(-1 + float64(first)*binWidth), h[first:last]})
	}
	slices.SortFunc(d.Histograms, func(a, b pageHistogram) int {
		relevant := 0
		if a.Relevant != b.Relevant {
			if relevant = 1; a.Relevant {
				relevant = -1
			}
		}
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), relevant, cmp.Compare(a.Regime, b.Regime))
	})
	queries := r.Rows[0].Outcome.Queries
	for _, q := range o.queries {
		c := q.candidates
		c.Query = slices.IndexFunc(queries, func(m lab.Measured) bool { return m.Query.ID == q.id })
		n := min(depth, len(q.documents))
		for _, id := range q.documents[:n] {
			c.Documents = append(c.Documents, place(id))
		}
		c.Relevant, c.Similarities = c.Relevant[:n], slices.Clone(c.Similarities)
		for t := range c.Similarities {
			c.Similarities[t] = c.Similarities[t][:n]
		}
		d.Queries = append(d.Queries, c)
	}
	return d
}
