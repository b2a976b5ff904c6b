package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// The form of the JSON is part of the interface: keys may be added, those that
// are there stay.

type jsonReport struct {
	Set          string        `json:"set"`
	Split        string        `json:"split"`
	Encoder      string        `json:"encoder"`
	Documents    int           `json:"documents"`
	Queries      int           `json:"queries"`
	Command      string        `json:"command,omitempty"`
	Bootstrap    jsonBootstrap `json:"bootstrap"`
	Results      []jsonResult  `json:"results"`
	Significance *jsonCounts   `json:"significance,omitempty"`
	Warnings     []string      `json:"warnings,omitempty"`
}

type jsonBootstrap struct {
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
}

type jsonResult struct {
	Method    string                  `json:"method"`
	Fusion    string                  `json:"fusion"`
	Passages  string                  `json:"passages"`
	MAP       float64                 `json:"map100"`
	MAPAll    float64                 `json:"map100_R"`
	Seconds   float64                 `json:"seconds"`
	Recall20  float64                 `json:"recall20"`
	Recall100 float64                 `json:"recall100"`
	NDCG10    float64                 `json:"ndcg10"`
	Interval  [2]float64              `json:"map100_interval"`
	Gain      *jsonInterval           `json:"gain,omitempty"`
	Templates map[string]jsonTemplate `json:"templates"`
	PerQuery  map[string]jsonQuery    `json:"per_query"`
}

type jsonTemplate struct {
	N         int             `json:"n"`
	MAP       float64         `json:"map100"`
	MAPAll    float64         `json:"map100_R"`
	Recall20  float64         `json:"recall20"`
	Recall100 float64         `json:"recall100"`
	NDCG10    float64         `json:"ndcg10"`
	Interval  [2]float64      `json:"map100_interval"`
	Against   *jsonComparison `json:"against_baseline,omitempty"`
}

type jsonComparison struct {
	Difference   jsonInterval `json:"difference"`
	Gain         *float64     `json:"gain"` // null where the baseline has 0
	P            float64      `json:"p"`
	PHolm        float64      `json:"p_holm"`
	Test         string       `json:"test"`
	RankBiserial float64      `json:"rank_biserial"`
	PAll         float64      `json:"p_R"`
}

type jsonInterval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

type jsonQuery struct {
	Template string  `json:"template"`
	AP       float64 `json:"ap100"`
	APAll    float64 `json:"ap100_R"`
}

type jsonCounts struct {
	Cells   int `json:"cells"`
	P01     int `json:"p01"`
	P05     int `json:"p05"`
	Holm01  int `json:"holm01"`
	Holm05  int `json:"holm05"`
	Worse01 int `json:"worse01"` // of holm01
}

// JSON writes all figures in full precision.
func (r *Report) JSON(w io.Writer) error {
	out := jsonReport{
		Set: r.Meta.Set, Split: r.Meta.Split, Encoder: r.Meta.Encoder, Documents: r.Meta.Documents, Queries: r.Meta.Queries,
		Command: r.Meta.Command, Bootstrap: jsonBootstrap{r.options.Seed, r.options.Resamples}, Results: []jsonResult{}, Warnings: r.Warnings,
	}
	if n := r.Counts; n.Cells > 0 {
		counts := jsonCounts(n)
		out.Significance = &counts
	}
	for i := range r.Rows {
		out.Results = append(out.Results, r.Rows[i].json())
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // it is read by programs, and by people
	return e.Encode(out)
}

func (row *Row) json() jsonResult {
	o, s := row.Outcome, row.Summary
	out := jsonResult{
		Method: o.Method.String(), Fusion: o.Fusion.String(), Passages: o.Passages.String(), Seconds: o.Seconds,
		MAP: s.MAP, MAPAll: s.MAPAll, Recall20: s.Recall20, Recall100: s.Recall100, NDCG10: s.NDCG10,
		Interval:  [2]float64{row.MAP.Low, row.MAP.High},
		Templates: map[string]jsonTemplate{}, PerQuery: map[string]jsonQuery{},
	}
	if row.Gain != nil {
		gain := interval(*row.Gain)
		out.Gain = &gain
	}
	for _, c := range row.Cells {
		t := jsonTemplate{
			N: c.N, MAP: c.MAP, MAPAll: c.MAPAll, Recall20: c.Recall20, Recall100: c.Recall100, NDCG10: c.NDCG10,
			Interval: [2]float64{c.Interval.Low, c.Interval.High},
		}
		if a := c.Against; a != nil {
			t.Against = &jsonComparison{
				Difference: interval(a.Difference), Gain: number(a.Gain), P: a.Test.P, PHolm: a.Adjusted,
				Test: "Wilcoxon, " + a.Test.Method, RankBiserial: a.Test.RankBiserial, PAll: a.TestAll.P,
			}
		}
		out.Templates[c.Template] = t
	}
	for i := range o.Queries {
		q := &o.Queries[i]
		out.PerQuery[q.Query.ID] = jsonQuery{q.Query.Template, q.AP, q.APAll}
	}
	return out
}

func interval(in stats.Interval) jsonInterval { return jsonInterval{in.Value, in.Low, in.High} }

// number is nil where there is none.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
