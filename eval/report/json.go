package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// object is a JSON object. The JSON output is part of the interface: keys may be added, but
// existing ones stay.
type object map[string]any

// JSON writes all figures in full precision.
func (r *Report) JSON(w io.Writer) error {
	results := []object{}
	for i := range r.Rows {
		results = append(results, r.Rows[i].json())
	}
	out := object{
		"set": r.Meta.Set, "split": r.Meta.Split, "encoder": r.Meta.Encoder, "documents": r.Meta.Documents, "queries": r.Meta.Queries,
		"bootstrap": object{"seed": r.options.Seed, "resamples": r.options.Resamples}, "results": results,
	}
	if r.Meta.Profile != "" {
		out["profile"] = r.Meta.Profile
	}
	if r.Meta.Command != "" {
		out["command"] = r.Meta.Command
	}
	if n := r.Counts; n.Cells > 0 {
		out["significance"] = object{"cells": n.Cells, "p01": n.P01, "p05": n.P05, "holm01": n.Holm01, "holm05": n.Holm05, "worse01": n.Worse01}
	}
	if len(r.Warnings) > 0 {
		out["warnings"] = r.Warnings
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func (row *Row) json() object {
	o, s := row.Outcome, row.Summary
	templates, queries := object{}, object{}
	for _, c := range row.Cells {
		templates[c.Template] = c.json()
	}
	for i := range o.Queries {
		q := &o.Queries[i]
		queries[q.Query.ID] = object{"template": q.Query.Template, "ap100": q.AP, "ap100_R": q.APAll}
	}
	out := object{
		"method": o.Called(), "fusion": o.Fusion.String(), "passages": o.Passages.String(), "seconds": o.Seconds,
		"map100": s.MAP, "map100_R": s.MAPAll, "map100_interval": span(row.MAP),
		"recall20": s.Recall20, "recall100": s.Recall100, "ndcg10": s.NDCG10, "templates": templates, "per_query": queries,
	}
	if row.Gain != nil {
		out["gain"] = row.Gain
	}
	if o.Leaks != nil {
		out["leaks"] = o.Leaks
	}
	return out
}

func (c *Cell) json() object {
	out := object{
		"n": c.N, "map100": c.MAP, "map100_R": c.MAPAll, "map100_interval": span(c.Interval),
		"recall20": c.Recall20, "recall100": c.Recall100, "ndcg10": c.NDCG10,
	}
	if a := c.Against; a != nil {
		against := object{
			"difference": a.Difference, "gain": a.Gain, "p": a.Test.P, "p_holm": a.Adjusted,
			"test": "Wilcoxon, " + a.Test.Method, "rank_biserial": a.Test.RankBiserial, "p_R": a.TestAll.P,
		}
		if math.IsNaN(a.Gain) { // the baseline is 0
			against["gain"] = nil
		}
		out["against_baseline"] = against
	}
	return out
}

func span(in stats.Interval) [2]float64 { return [2]float64{in.Low, in.High} }
