package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Calibration maps scores to probabilities, with its error on each set. The queries that the
// error is measured on took no part in the fit.
type Calibration struct {
	Logistic profile.Logistic // fitted to all queries
	Skipped  string           // why there is none; Errors is nil then
	Errors   []CalibrationError
}

// CalibrationError compares probabilities with the relevance of the first shownDepth results
// of each query of a set. An error is the mean difference between probability and share of
// relevant documents, in ten bins.
type CalibrationError struct {
	Set         string
	Queries     int
	Relevant    float64 // share of relevant documents among these results
	Probability float64 // mean probability by fits without the fold of a query
	HeldOut     float64 // error of fits without the fold of a query
	LeftOut     float64 // error of a fit without the set; 0 if there is only one set
}

const (
	// leastQueries is the number of queries that a calibration needs.
	leastQueries = 20
	// shownDepth is the number of results of a query that people see at once.
	shownDepth = 10
	// fittedDepth is the number of results of a query that a calibration is fitted to. Fitting
	// the many further down as well would cost accuracy for those that people see.
	fittedDepth = 30
)

// observation is a result of a query.
type observation struct {
	x        features
	relevant bool
	weight   float64
}

// judge sets the first results of each question of a set. Deviations are from the mean over
// all documents, as in retrieve's Exact; other modes use a sample.
func (r *run) judge(ctx context.Context, d Data, formulas []*query.Formula, questions []question) error {
	searcher, err := d.Corpus.Searcher(r.config.Passages)
	if err != nil {
		return err
	}
	o := retrieve.Options{K: lab.Depth, Profile: r.config.Profile, Research: retrieve.Research{Mode: retrieve.Exact}}
	return workers.Each(ctx, len(questions), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		q := &d.Set.Queries[i]
		found, err := lab.Find(ctx, searcher, formulas[i], o)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		ranking, err := found.Rank(fittedDepth)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		length := profile.Length(found.Size.Vectors, found.Size.Documents)
		for rank, line := range ranking.Lines {
			score := float64(ranking.Scores[rank])
			questions[i].observed = append(questions[i].observed, observation{
				x:        features{1, ranking.Background.Z(score), score, length},
				relevant: q.Grade(d.Corpus.IDs[found.Refs[line].Number]) > 0,
			})
		}
		return nil
	})
}

// deal randomly assigns the questions of each template of each set to k folds of equal size.
func (r *run) deal(k int, seed uint64) []int {
	// The methods of rand.Rand may change with a Go release; the generator's output does not.
	random := rand.NewPCG(seed, 1)
	fold := make([]int, len(r.questions))
	dealt := 0
	done := make([]bool, len(r.questions))
	for i := range r.questions {
		if done[i] {
			continue
		}
		var rows []int // all questions with the same set and template
		for j := range r.questions {
			if q := &r.questions[j]; q.set == r.questions[i].set && q.template == r.questions[i].template {
				rows, done[j] = append(rows, j), true
			}
		}
		for i := len(rows) - 1; i > 0; i-- {
			j, _ := bits.Mul64(random.Uint64(), uint64(i+1))
			rows[i], rows[j] = rows[j], rows[i]
		}
		for _, i := range rows {
			fold[i] = dealt % k
			dealt++
		}
	}
	return fold
}

// calibration fits probabilities to the scores of the profile.
func (r *run) calibration() (c Calibration, err error) {
	if len(r.questions) < leastQueries {
		return c, fmt.Errorf("%d queries are too few", len(r.questions))
	}
	whole, err := r.fit(func(int) bool { return true })
	if err != nil {
		return c, err
	}
	if !(whole.Slope >= 0 && whole.Score >= 0 && whole.Slope+whole.Score > 0) {
		return c, errors.New("documents with a higher score are less often relevant")
	}
	c.Logistic = profile.Logistic{Intercept: digits(whole.Intercept), Slope: digits(whole.Slope), Score: digits(whole.Score), Length: digits(whole.Length)}
	heldOut, err := r.fitWithout(r.config.Folds, func(i int) int { return r.folds[i] })
	if err != nil {
		return c, err
	}
	leftOut := heldOut
	if len(r.names) > 1 {
		if leftOut, err = r.fitWithout(len(r.names), func(i int) int { return r.questions[i].set }); err != nil {
			return c, err
		}
	}
	for s, name := range r.names {
		rows := r.of(s)
		e := CalibrationError{Set: name, Queries: len(rows)}
		e.HeldOut, e.Relevant, e.Probability = r.errorOf(rows, heldOut)
		if len(r.names) > 1 {
			e.LeftOut, _, _ = r.errorOf(rows, leftOut)
		}
		c.Errors = append(c.Errors, e)
	}
	return c, nil
}

// fitWithout returns, for each question, the fit to all questions outside its group.
func (r *run) fitWithout(groups int, group func(question int) int) ([]profile.Logistic, error) {
	out := make([]profile.Logistic, len(r.questions))
	for g := range groups {
		l, err := r.fit(func(i int) bool { return group(i) != g })
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

// fit fits a logistic to some questions. The results of a question share its weight.
func (r *run) fit(wanted func(question int) bool) (profile.Logistic, error) {
	var rows []int
	for i := range r.questions {
		if wanted(i) {
			rows = append(rows, i)
		}
	}
	weights := r.weights(rows)
	var all []observation
	for k, i := range rows {
		observed := r.questions[i].observed
		for _, o := range observed {
			o.weight = weights[k] / float64(len(observed))
			all = append(all, o)
		}
	}
	return fit(all)
}

// errorOf returns the calibration error over the results that are shown for some questions,
// the share of relevant documents among them and their mean probability.
func (r *run) errorOf(rows []int, fits []profile.Logistic) (off, relevant, probability float64) {
	var bins [10]float64 // sums of probability minus relevance
	n := 0.0
	for _, i := range rows {
		observed := r.questions[i].observed
		for _, o := range observed[:min(shownDepth, len(observed))] {
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

// digits rounds to four decimals.
func digits(x float64) float64 { return math.Round(x*1e4) / 1e4 }
