package tune

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// Calibration converts scores to probabilities, and states the error on each set. The queries
// that it is measured on took no part in the fit, but did in the choice of the profile.
type Calibration struct {
	Logistic profile.Logistic // fitted to all queries
	Skipped  string           // why there is none; Errors is nil then
	Errors   []CalibrationError
}

// CalibrationError is the expected calibration error on a set: the mean difference between
// probability and share of relevant documents in ten bins, over the first shownDepth results of
// each query.
type CalibrationError struct {
	Set         string
	Queries     int
	Relevant    float64 // the share of relevant documents among these results
	Probability float64 // the mean probability of fits without the fold of a query
	HeldOut     float64 // the error of fits without the fold of a query
	LeftOut     float64 // the error of a fit without the set; 0 where there is only one
}

const (
	// leastQueries is the number of queries that a calibration needs.
	leastQueries = 20
	// shownDepth is the number of results that people see at once. Fitting the documents below
	// them would cost accuracy there.
	shownDepth = 10
	// unansweredWeight is the weight of questions that a set cannot answer, relative to its own.
	unansweredWeight = 0.25
)

// calibrate fits probabilities to the scores of the profile that is taken.
func (r *run) calibrate(ctx context.Context) error {
	observed, err := r.judgements(ctx, r.taken)
	if err != nil {
		return err
	}
	if r.irrelevant, err = r.unanswered(ctx, r.taken); err != nil {
		return err
	}
	r.result.Calibration, err = r.calibration(observed)
	if err != nil {
		r.result.Calibration = Calibration{Skipped: err.Error()}
	}
	return nil
}

func (r *run) calibration(observed [][]observation) (c Calibration, err error) {
	if len(r.questions) < leastQueries {
		return c, fmt.Errorf("%d queries are too few", len(r.questions))
	}
	whole, err := r.fit(r.all(), observed)
	if err != nil {
		return c, err
	}
	if !(whole.Score > 0) {
		return c, errors.New("documents with a higher score are less often relevant")
	}
	c.Logistic = profile.Logistic{Intercept: digits(whole.Intercept), Score: digits(whole.Score), Length: digits(whole.Length)}
	heldOut, err := r.fitWithout(observed, r.config.Folds, func(i int) int { return r.fold[i] })
	if err != nil {
		return c, err
	}
	leftOut := heldOut
	if len(r.places) > 1 {
		if leftOut, err = r.fitWithout(observed, len(r.places), func(i int) int { return r.questions[i].set }); err != nil {
			return c, err
		}
	}
	for s, p := range r.places {
		rows := r.those(func(q *question) bool { return q.set == s })
		e := CalibrationError{Set: p.Set.Name, Queries: len(rows)}
		e.HeldOut, e.Relevant, e.Probability = errorOf(rows, observed, heldOut)
		if len(r.places) > 1 {
			e.LeftOut, _, _ = errorOf(rows, observed, leftOut)
		}
		c.Errors = append(c.Errors, e)
	}
	return c, nil
}

// fitWithout returns, for each question, the fit to all questions outside its group.
func (r *run) fitWithout(observed [][]observation, groups int, group func(question int) int) ([]profile.Logistic, error) {
	out := make([]profile.Logistic, len(r.questions))
	for g := range groups {
		var rest []int
		for _, i := range r.all() {
			if group(i) != g {
				rest = append(rest, i)
			}
		}
		l, err := r.fit(rest, observed)
		if err != nil {
			return nil, fmt.Errorf("without part %d: %w", g+1, err)
		}
		for i := range out {
			if group(i) == g {
				out[i] = l
			}
		}
	}
	return out, nil
}

// errorOf returns the expected calibration error of some questions, the share of relevant
// documents and the mean probability.
func errorOf(rows []int, observed [][]observation, fits []profile.Logistic) (off, relevant, probability float64) {
	var bins [10]float64 // the sums of probability less relevance
	n := 0.0
	for _, i := range rows {
		for _, o := range observed[i] {
			p, is := at(fits[i]).of(o.x), 0.0
			if o.relevant {
				is = 1
			}
			bins[min(int(p*10), 9)] += p - is
			relevant += is
			probability += p
			n++
		}
	}
	for _, b := range bins {
		off += math.Abs(b)
	}
	n = max(1, n)
	return off / n, relevant / n, probability / n
}

// fit fits a logistic to some questions. Sets count the same, the templates of a set, the
// questions of a template, and the documents of a question.
func (r *run) fit(rows []int, observed [][]observation) (profile.Logistic, error) {
	weights, shares := r.weights(rows), make([]float64, len(r.places))
	var all []observation
	for _, i := range rows {
		shares[r.questions[i].set] += weights[i]
		for _, o := range observed[i] {
			o.weight = weights[i] / float64(len(observed[i]))
			all = append(all, o)
		}
	}
	for set, observed := range r.irrelevant {
		for _, o := range observed {
			o.weight = unansweredWeight * shares[set] / float64(len(observed))
			all = append(all, o)
		}
	}
	return fit(all)
}

// digits rounds to four decimal places.
func digits(x float64) float64 { return math.Round(x*1e4) / 1e4 }
