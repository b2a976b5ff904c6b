package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// rerank is the paper's own method.
const rerank = "rerank"

// mainTable is tab:main_results.
func (r *Report) mainTable() (*table, error) {
	t := &table{caption: r.caption("Main results, mAP@100"), label: "tab:main"}
	t.head = append(append(r.keys(), r.symbols()...), "mean", "mean, R", "Δ∪")
	t.left = len(r.keys())
	for _, how := range r.distinct(passages) {
		var ranked []*Row
		for i := range r.Rows {
			row := &r.Rows[i]
			if passages(row) != how || row.Outcome.Method.String() != rerank {
				continue
			}
			base := r.baselineOf(row)
			if base == nil {
				return nil, errors.New("rerank has no baseline with the same fusion and passages; run both methods")
			}
			ranked = append(ranked, row)
			t.rows = append(t.rows,
				line{rule: true, cells: append(r.key(base), mains(base)...)},
				line{cells: append(r.key(row), mains(row)...)},
				line{cells: append(append(words("relative Δ"), make([]cell, t.left-1)...), gains(row)...)})
		}
		if len(ranked) > 1 {
			t.rows = append(t.rows, r.better(ranked, t.left))
		}
	}
	if len(t.rows) == 0 {
		return nil, errors.New("it needs the methods baseline and rerank; run both")
	}
	for i, b := range paperMain {
		rows := r.publishedRows([]block{b}, t.left, true, 2)
		if len(rows) > 0 {
			last := rows[len(rows)-1].cells
			last[len(last)-1].text = change(paperUnion[i])
		}
		t.rows = append(t.rows, rows...)
	}
	t.notes = append(r.notes()[:1],
		"Each fusion has rows of its own here. The paper's NSFL takes the better fusion in every cell; where there are several, the row \"better fusion\" does the same and names it by its first letter. Δ∪ is the largest gap between the two, contextual less simple.",
		"The paper's figures here have the denominator min(R, 100), as ours have outside the column R. Its sentence that all improvements are significant at 0.01 is not what its appendix counts; see the table significance.")
	return t, nil
}

// mains are the figures of a row in the main table.
func mains(row *Row) (out []cell) {
	for _, c := range row.Cells {
		out = append(out, cell{text: figure(c.MAP)})
	}
	return append(out, words(figure(row.Summary.MAP), figure(row.Summary.MAPAll), "")...)
}

func gains(row *Row) (out []cell) {
	for _, c := range row.Cells {
		s := ""
		if !math.IsNaN(c.Against.Gain) {
			s = percent(c.Against.Gain)
		}
		out = append(out, cell{text: s})
	}
	mean := ""
	if row.Gain != nil {
		mean = percent(row.Gain.Value)
	}
	return append(out, words(mean, "", "")...)
}

// better is the row of the better fusion in each cell.
func (r *Report) better(rows []*Row, keys int) line {
	out := append(words("better fusion"), make([]cell, keys-1)...)
	var mean, all, union float64
	for i := range r.Templates {
		best := rows[0]
		var simple, contextual float64
		for _, row := range rows {
			if row.Cells[i].MAP > best.Cells[i].MAP {
				best = row
			}
			switch fusions(row) {
			case "simple":
				simple = row.Cells[i].MAP
			case "contextual":
				contextual = row.Cells[i].MAP
			}
		}
		out = append(out, cell{text: figure(best.Cells[i].MAP) + " " + fusions(best)[:1]})
		mean += best.Cells[i].MAP / float64(len(r.Templates))
		all += best.Cells[i].MAPAll / float64(len(r.Templates))
		if gap := contextual - simple; simple > 0 && contextual > 0 && math.Abs(gap) > math.Abs(union) {
			union = gap
		}
	}
	return line{cells: append(out, words(figure(mean), figure(all), change(union))...)}
}

// distinct are the different values that rows have, in their order.
func (r *Report) distinct(of func(*Row) string) (out []string) {
	for i := range r.Rows {
		if v := of(&r.Rows[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (r *Report) baselineOf(row *Row) *Row {
	for i := range r.Rows {
		b := &r.Rows[i]
		if b.Outcome.Method.String() == baseline && conditions(b.Outcome) == conditions(row.Outcome) {
			return b
		}
	}
	return nil
}

// tiersTable is tab:matrix_ablation: what moving the query and what reranking
// bring.
func (r *Report) tiersTable() *table {
	t := &table{
		caption: r.caption("Tiers, mAP@100, mean over templates"), label: "tab:tiers",
		head: append(r.keys(), "query moved", "reranked", "mean", "mean, R", "gain", "paper, QUEST", "paper, COCO"),
	}
	t.left = len(r.keys()) + 2
	moved := map[string]string{"sqo": "yes", "hybrid": "yes", "geo-opt": "yes", "geo-hybrid": "yes"}
	ranked := map[string]string{rerank: "yes", "hybrid": "yes", "exact": "all", "geo-rerank": "yes", "geo-hybrid": "yes"}
	var values [][]float64
	for i := range r.Rows {
		row := &r.Rows[i]
		method := row.Outcome.Method.String()
		cells := append(r.key(row), words(moved[method], ranked[method], figure(row.Summary.MAP), figure(row.Summary.MAPAll))...)
		gain := ""
		if row.Gain != nil {
			gain = percent(row.Gain.Value)
		}
		cells = append(cells, cell{text: gain})
		for _, b := range paperTemplates {
			mean := ""
			for _, p := range b.rows {
				if p.method == method {
					mean = fmt.Sprintf("%.3f", p.mean)
				}
			}
			cells = append(cells, cell{text: mean})
		}
		values = append(values, []float64{row.Summary.MAP, row.Summary.MAPAll})
		t.rows = append(t.rows, line{rule: i > 0 && conditions(row.Outcome) != conditions(r.Rows[i-1].Outcome), cells: cells})
	}
	markBest(t.rows, values, t.left)
	t.notes = append(r.notes()[:1], bestMarked, "For orientation, the paper's means: BGE-Large on QUEST and BLIP-Large on COCO-Logic. The paper has no method that scores all documents (exact).")
	return t
}

// templatesTable is tab:ablation_full.
func (r *Report) templatesTable() *table {
	t := r.overview()
	t.caption, t.label = r.caption("All methods by template, mAP@100"), "tab:templates"
	t.rows = append(t.rows, r.publishedRows(paperTemplates, t.left, true, 2)...)
	t.notes = append(r.notes()[:1], bestMarked, "The paper's rerank here is that of one fusion; in its main table the better of two is taken per cell, so that the figures differ.")
	return t
}

// recallTable is tab:recall_comparison.
func (r *Report) recallTable() *table {
	t := &table{caption: r.caption("Recall"), label: "tab:recall"}
	t.head = append(append(append([]string{"measure"}, r.keys()...), r.symbols()...), "mean")
	t.left = 1 + len(r.keys())
	for k, measure := range []string{"recall@20", "recall@100"} {
		var values [][]float64
		first := len(t.rows)
		for i := range r.Rows {
			row := &r.Rows[i]
			cells := append(words(measure), r.key(row)...)
			var v []float64
			for _, c := range row.Cells {
				v = append(v, []float64{c.Recall20, c.Recall100}[k])
			}
			v = append(v, []float64{row.Summary.Recall20, row.Summary.Recall100}[k])
			for _, x := range v {
				cells = append(cells, cell{text: figure(x)})
			}
			values = append(values, v)
			t.rows = append(t.rows, line{rule: i == 0, cells: cells})
		}
		markBest(t.rows[first:], values, t.left)
		if !r.concerns("QUEST") {
			continue
		}
		t.rows = append(t.rows, line{title: "the paper, LogiCoL-E5-v2 on QUEST"})
		for _, p := range paperRecall[measure] {
			texts := append([]string{measure, p.method}, make([]string, len(r.keys())-1)...)
			t.rows = append(t.rows, line{cells: words(append(append(texts, r.place(three(p.cells))...), "")...)})
		}
	}
	t.notes = []string{bestMarked}
	return t
}

var testsHead = []string{"template", "n", "baseline", "method", "Δ", "95 % interval", "p", "p, Holm", "R: baseline", "R: method", "R: p"}

// significanceTable is tab:sig_bge_quest and tab:sig_coco_blip.
func (r *Report) significanceTable() (*table, error) {
	t := &table{
		caption: r.caption("Differences to plain retrieval, mAP@100"), label: "tab:significance",
		head: testsHead, left: 1,
	}
	t.rows = r.tests()
	if len(t.rows) == 0 {
		return nil, errors.New("no method has a baseline with the same fusion and passages; run the method baseline too")
	}
	for _, b := range paperTests {
		if !r.concerns(b.set) {
			continue
		}
		t.rows = append(t.rows, line{rule: true, title: "the paper, NSFL with " + b.encoder + " on " + b.set})
		for i, p := range b.rows {
			t.rows = append(t.rows, line{cells: words(symbols(sets.Templates[i]), "", fmt.Sprintf("%.3f", p.base), fmt.Sprintf("%.3f", p.method), change(p.difference),
				"["+change(p.low)+", "+change(p.high)+"]", p.p, "", "", "", "")})
		}
	}
	t.notes = append(r.notes(),
		"Marked: significant at 0.01 after the correction. Columns of R have the denominator R. The paper's figures for COCO-Logic agree with those of its main table only if they have that denominator; those for QUEST are the same with both.",
		"The paper says in its text that all improvements are significant at 0.01; its appendix counts 43 of 72 at 0.01 and 8 more at 0.05, without a correction.")
	return t, nil
}

// tests are the rows of the comparisons with the baseline.
func (r *Report) tests() (out []line) {
	for i := range r.Rows {
		row := &r.Rows[i]
		for k, c := range row.Cells {
			a := c.Against
			if a == nil {
				break
			}
			if k == 0 {
				out = append(out, line{rule: true, title: name(row.Outcome)})
			}
			d := a.Difference
			cells := words(symbols(c.Template), strconv.Itoa(c.N), figure(a.Base), figure(c.MAP), signed(d.Value), "["+signed(d.Low)+", "+signed(d.High)+"]",
				probability(a.Test.P), probability(a.Adjusted), figure(a.BaseAll), figure(c.MAPAll), probability(a.TestAll.P))
			cells[4].best = a.Adjusted <= 0.01
			out = append(out, line{cells: cells})
		}
	}
	return out
}
