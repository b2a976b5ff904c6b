package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// short is a number written with as many digits as people read.
type short float64

func (s short) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, math.Round(float64(s)*1e4)/1e4+0, 'f', -1, 64), nil
}

// pageData returns the data for the page's script, with rankings down to a depth. Documents
// are indexes into one list of ids and titles.
func (r *Report) pageData(depth int) object {
	documents := [][2]string{} // a title only if it differs from the id
	places := map[string]int{}
	place := func(id string) int {
		at, known := places[id]
		if !known {
			at = len(documents)
			places[id] = at
			title := clip(r.title(id), 160)
			if title == id {
				title = ""
			}
			documents = append(documents, [2]string{id, title})
		}
		return at
	}
	queries, ranked := r.rankings(depth, place)
	var outcomes []object
	for i := range r.Rows {
		row := &r.Rows[i]
		var cells []object
		for _, c := range row.Cells {
			cell := pageCell(c.Interval)
			if c.Against != nil {
				cell["p"] = Probability(c.Against.Adjusted)
			}
			cells = append(cells, cell)
		}
		var ap []short
		for _, q := range row.Outcome.Queries {
			ap = append(ap, short(q.AP))
		}
		outcomes = append(outcomes, object{
			"method": row.Outcome.Called(), "conditions": conditions(row.Outcome), "base": row.base,
			"mean": pageCell(row.MAP), "cells": cells, "ap": ap, "recall": r.recalls(row.Outcome), "ranked": ranked[i],
		})
	}
	return object{"templates": r.Templates, "depth": depth, "outcomes": outcomes, "queries": queries, "documents": documents}
}

func pageCell(in stats.Interval) object {
	return object{"map": short(in.Value), "low": short(in.Low), "high": short(in.High)}
}

// rankings returns the queries, each with all documents that a method ranked, relevant ones
// first, and the rankings of every outcome as indexes into these lists, to save space.
func (r *Report) rankings(depth int, place func(string) int) (queries []object, ranked [][][]int) {
	ranked = make([][][]int, len(r.Rows))
	for i, m := range r.Rows[0].Outcome.Queries {
		documents, relevant := []int{}, 0
		at := map[string]int{}
		for _, wanted := range []bool{true, false} {
			for k := range r.Rows {
				m := &r.Rows[k].Outcome.Queries[i]
				for rank, id := range m.Ranking[:min(depth, len(m.Ranking))] {
					if _, known := at[id]; !known && (m.Judged.Ranked[rank] > 0) == wanted {
						at[id] = len(documents)
						documents = append(documents, place(id))
					}
				}
			}
			if wanted {
				relevant = len(documents)
			}
		}
		for k := range r.Rows {
			m := &r.Rows[k].Outcome.Queries[i]
			own := []int{}
			for _, id := range m.Ranking[:min(depth, len(m.Ranking))] {
				own = append(own, at[id])
			}
			ranked[k] = append(ranked[k], own)
		}
		queries = append(queries, object{
			"id": m.Query.ID, "template": slices.Index(r.Templates, m.Query.Template), "text": m.Query.Text, "formula": m.Query.Formula,
			"r": m.Judged.Relevant(), "documents": documents, "relevant": relevant,
		})
	}
	return queries, ranked
}

// recalls returns the recall curves of an outcome: the means over the queries of each
// template, and last the mean of those.
func (r *Report) recalls(o lab.Outcome) [][]short {
	out := make([][]short, len(r.Templates)+1)
	for k := 1; k <= lab.Depth; k++ {
		var means []float64
		for t, name := range r.Templates {
			var own []float64
			for i := range o.Queries {
				if q := &o.Queries[i]; q.Query.Template == name {
					own = append(own, q.Judged.Recall(k))
				}
			}
			means = append(means, stats.Mean(own))
			out[t] = append(out[t], short(means[t]))
		}
		out[len(means)] = append(out[len(means)], short(stats.Mean(means)))
	}
	return out
}
