package report

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
)

// rerank is the paper's own method.
const rerank = "rerank"

// mainTable is tab:main_results.
func (r *Report) mainTable() (*Table, error) {
	t := r.table("Main results, mAP@100", "mean", "mean, R", "Δ∪")
	for _, how := range r.distinct(passages) {
		var ranked []*Row
		for i := range r.Rows {
			row := &r.Rows[i]
			if passages(row) != how || row.Outcome.Method.String() != rerank {
				continue
			}
			if row.base < 0 {
				return nil, errors.New("rerank has no baseline with the same fusion and passages; run both methods")
			}
			ranked = append(ranked, row)
			for _, row := range []*Row{&r.Rows[row.base], row} {
				_, key := r.key(row)
				t.Rows = append(t.Rows, line{Cells: slices.Concat(key, numbers(row.means()...), words(""))})
			}
			gains := named("relative Δ", t.Left)
			for _, c := range row.Cells {
				gains = append(gains, cell{Text: percent(c.Against.Gain)})
			}
			t.Rows = append(t.Rows, line{Cells: append(gains, words(row.gain(), "", "")...)})
		}
		if len(ranked) > 1 {
			t.Rows = append(t.Rows, r.better(ranked, t.Left))
		}
	}
	if len(t.Rows) == 0 {
		return nil, errors.New("it requires the methods baseline and rerank; run both")
	}
	r.published(t, paper.Main...)
	t.Notes = append(r.notes()[:1],
		"Each fusion has its own rows here. The paper's NSFL takes the better fusion in every cell; with several fusions, the row \"better fusion\" does the same and names it by its first letter. Δ∪ is the largest gap between the two, contextual minus simple.",
		"The paper's figures here use the denominator min(R, 100), like ours outside the column R. Its statement that all improvements are significant at 0.01 does not match its appendix; see the table significance.")
	return t, nil
}

// better returns the row with the better fusion in each cell.
func (r *Report) better(rows []*Row, keys int) line {
	out := named("better fusion", keys)
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
		out = append(out, cell{Text: figure(best.Cells[i].MAP) + " " + fusions(best)[:1]})
		mean += best.Cells[i].MAP / float64(len(r.Templates))
		all += best.Cells[i].MAPAll / float64(len(r.Templates))
		if gap := contextual - simple; simple > 0 && contextual > 0 && math.Abs(gap) > math.Abs(union) {
			union = gap
		}
	}
	return line{Cells: append(out, words(figure(mean), figure(all), change(union))...)}
}

// tiersTable is tab:matrix_ablation: the effects of moving the query and of reranking.
func (r *Report) tiersTable() (*Table, error) {
	head, _ := r.key(nil)
	t := NewTable(len(head)+2, append(head, "query moved", "reranked", "mean", "mean, R", "gain", "paper, QUEST", "paper, COCO")...)
	t.Caption = r.caption("Tiers, mAP@100, mean over templates")
	moved := map[string]string{"sqo": "yes", "hybrid": "yes", "geo-opt": "yes", "geo-hybrid": "yes"}
	ranked := map[string]string{rerank: "yes", "hybrid": "yes", "exact": "all", "geo-rerank": "yes", "geo-hybrid": "yes"}
	r.fill(t, func(row *Row) ([]float64, []cell) {
		last := words(row.gain())
		for _, b := range paper.Templates {
			mean := ""
			for _, p := range b.Rows {
				if p.Method == row.Outcome.Method.String() {
					mean = three(p.Mean)
				}
			}
			last = append(last, cell{Text: mean})
		}
		return []float64{row.Summary.MAP, row.Summary.MAPAll}, last
	}, func(row *Row) string { return moved[row.Outcome.Method.String()] }, func(row *Row) string { return ranked[row.Outcome.Method.String()] })
	t.Notes = append(r.notes()[:1], bestMarked, "For orientation, the paper's means: BGE-Large on QUEST and BLIP-Large on COCO-Logic. The paper has no method that scores all documents (exact).")
	return t, nil
}

// templatesTable is tab:ablation_full.
func (r *Report) templatesTable() (*Table, error) {
	t := r.overview()
	t.Caption = r.caption("All methods by template, mAP@100")
	r.published(t, paper.Templates...)
	t.Notes = append(r.notes()[:1], bestMarked, "The paper's rerank here uses one fusion; its main table takes the better of two per cell, so the figures differ.")
	return t, nil
}

// recallTable is tab:recall_comparison.
func (r *Report) recallTable() (*Table, error) {
	t := r.table("Recall", "mean")
	for _, m := range []struct {
		name string
		of   func(lab.Means) float64
	}{{"recall@20", func(m lab.Means) float64 { return m.Recall20 }}, {"recall@100", func(m lab.Means) float64 { return m.Recall100 }}} {
		t.Rows = append(t.Rows, line{Title: m.name})
		r.fillMeans(t, m.of)
		if !r.concerns("QUEST") {
			continue
		}
		t.Rows = append(t.Rows, line{Title: m.name + ", the paper, LogiCoL-E5-v2 on QUEST"})
		for _, p := range paper.Recall[m.name] {
			t.Rows = append(t.Rows, line{Cells: slices.Concat(named(p.Method, t.Left), r.place(p.Cells), words(""))})
		}
	}
	t.Notes = []string{bestMarked}
	return t, nil
}

// significanceTable is tab:sig_bge_quest and tab:sig_coco_blip.
func (r *Report) significanceTable() (*Table, error) {
	t := r.tests()
	if len(t.Rows) == 0 {
		return nil, errors.New("no method has a baseline with the same fusion and passages; also run the method baseline")
	}
	for _, b := range paper.Tests {
		if !r.concerns(b.Set) {
			continue
		}
		t.Rows = append(t.Rows, line{Title: "the paper, NSFL with " + b.Encoder + " on " + b.Set})
		for i, p := range b.Rows {
			t.Add(symbols(sets.Templates[i]), "", three(p.Base), three(p.Method), change(p.Difference), bounds(p.Low, p.High, 3), p.P, "", "", "", "")
		}
	}
	t.Notes = append(r.notes(),
		"Marked: significant at 0.01 after the correction. Columns R use the denominator R. The paper's figures for COCO-Logic agree with its main table only with that denominator; those for QUEST are the same with both.",
		"The paper's text says that all improvements are significant at 0.01; its appendix counts 43 of 72 at 0.01 and 8 more at 0.05, without a correction.")
	return t, nil
}

// tests returns the comparisons with the baseline.
func (r *Report) tests() *Table {
	t := NewTable(1, "template", "n", "baseline", "method", "Δ", "95 % interval", "p", "p, Holm", "R: baseline", "R: method", "R: p")
	t.Caption = r.caption("Differences from plain retrieval, mAP@100")
	for i := range r.Rows {
		row := &r.Rows[i]
		for k, c := range row.Cells {
			a := c.Against
			if a == nil {
				break
			}
			if k == 0 {
				t.Rows = append(t.Rows, line{Title: name(row.Outcome)})
			}
			t.Add(symbols(c.Template), strconv.Itoa(c.N), figure(a.Base), figure(c.MAP), Signed(a.Difference.Value, 4), bounds(a.Difference.Low, a.Difference.High, 4),
				probability(a.Test.P), probability(a.Adjusted), figure(a.BaseAll), figure(c.MAPAll), probability(a.TestAll.P))
			t.Rows[len(t.Rows)-1].Cells[4].Best = a.Adjusted <= 0.01
		}
	}
	return t
}
