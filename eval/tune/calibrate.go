package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/profile"
)

// Calibration is the quality of the probabilities for one kind of formula, measured on folds
// not used in the fit. The choice of the profile did use them.
type Calibration struct {
	Kind     profile.Kind
	Queries  int
	Logistic profile.Logistic // fitted to all queries
	Skipped  string           // why there is no fit; the other fields are then 0

	// The following are over the first hundred of each ranking.
	Brier   float64
	Unaided float64 // Brier score of always predicting the share of relevant documents
	Error   float64 // mean difference between probability and share, in ten bins
	// LeftOut and LeftOutError are the Brier score and error of fits on other sets; 0 if
	// there is only one set.
	LeftOut, LeftOutError float64
}

// leastQueries is the minimum number of queries for calibrating a kind.
const leastQueries = 20

// calibrate fits probabilities to the scores of the chosen profile.
func (r *run) calibrate(ctx context.Context) error {
	observed, err := r.judgements(ctx, r.taken)
	if err != nil {
		return err
	}
	for _, kind := range profile.Kinds() {
		rows := r.those(func(q *question) bool { return q.kind == kind })
		if len(rows) == 0 {
			continue
		}
		r.result.Calibrations = append(r.result.Calibrations, r.calibration(kind, rows, observed))
	}
	return nil
}

func (r *run) calibration(kind profile.Kind, rows []int, observed [][]observation) Calibration {
	c := Calibration{Kind: kind, Queries: len(rows)}
	if len(rows) < leastQueries {
		c.Skipped = fmt.Sprintf("%d queries are too few", len(rows))
		return c
	}
	whole, err := r.fit(rows, observed)
	if err == nil && !(whole.Slope >= 0 && whole.Score >= 0 && whole.Slope+whole.Score > 0) {
		err = fmt.Errorf("higher scores are less often relevant")
	}
	if err != nil {
		c.Skipped = err.Error()
		return c
	}
	c.Logistic = profile.Logistic{Intercept: digits(whole.Intercept), Slope: digits(whole.Slope), Score: digits(whole.Score)}
	if c.Brier, c.Unaided, c.Error, err = r.judgeFits(rows, observed, r.config.Folds, func(i int) int { return r.fold[i] }); err != nil {
		c.Skipped = err.Error()
		return c
	}
	if n := len(r.places); n > 1 {
		c.LeftOut, _, c.LeftOutError, err = r.judgeFits(rows, observed, n, func(i int) int { return r.questions[i].set })
		if err != nil {
			c.Skipped = err.Error()
		}
	}
	return c
}

// judgeFits measures, on the questions of each group, the fit made without that group.
func (r *run) judgeFits(rows []int, observed [][]observation, groups int, group func(question int) int) (brier, unaided, off float64, err error) {
	var bins [10]float64 // predicted minus actual relevance
	weights := r.weights(rows)
	for g := range groups {
		out := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return group(i) == g })
		if len(out) == len(rows) {
			continue // the group has none of this kind
		}
		l, err := r.fit(out, observed)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("without part %d: %w", g+1, err)
		}
		share := r.share(out, observed)
		for _, i := range rows {
			if group(i) != g {
				continue
			}
			for _, o := range top(observed[i]) {
				weight := weights[i] / float64(len(top(observed[i])))
				is, said := 0.0, l.Of(float64(o.z), float64(o.score))
				if o.relevant {
					is = 1
				}
				brier += weight * (said - is) * (said - is)
				unaided += weight * (share - is) * (share - is)
				bins[min(int(said*10), 9)] += weight * (said - is)
			}
		}
	}
	for _, b := range bins {
		off += math.Abs(b)
	}
	return brier, unaided, off, nil
}

// top returns the part of a ranking that is shown. Most documents are far from relevant, and
// their probabilities trivially near 0.
func top(o []observation) []observation { return o[:min(lab.Depth, len(o))] }

// share returns the share of relevant documents among the shown results of some questions.
func (r *run) share(rows []int, observed [][]observation) (share float64) {
	weights := r.weights(rows)
	for _, i := range rows {
		for _, o := range top(observed[i]) {
			if o.relevant {
				share += weights[i] / float64(len(top(observed[i])))
			}
		}
	}
	return share
}

// fit fits a logistic to some questions. Every set has the same weight, and within a set
// every document of every question.
func (r *run) fit(rows []int, observed [][]observation) (profile.Logistic, error) {
	total := make([]float64, len(r.places))
	for _, i := range rows {
		for _, o := range observed[i] {
			total[r.questions[i].set] += o.weight
		}
	}
	var all []observation
	for _, i := range rows {
		for _, o := range observed[i] {
			o.weight /= total[r.questions[i].set]
			all = append(all, o)
		}
	}
	return fit(all)
}

// digits rounds to four decimals.
func digits(x float64) float64 { return math.Round(x*1e4) / 1e4 }
