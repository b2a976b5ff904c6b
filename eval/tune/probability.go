package tune

import (
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// probabilities gathers how right probabilities are in the documents that are shown.
type probabilities struct {
	run            *run
	rows           []int
	observed       [][]observation
	brier, unaided []float64 // by question
	bins           [10]struct{ weight, sum, relevant float64 }
	shares         []float64
	count          map[int]float64 // questions of each stratum
}

func (r *run) probabilities(rows []int, observed [][]observation) *probabilities {
	p := &probabilities{
		run: r, rows: rows, observed: observed, brier: make([]float64, len(r.questions)), unaided: make([]float64, len(r.questions)),
		shares: r.shares(rows), count: map[int]float64{},
	}
	for _, i := range rows {
		p.count[r.questions[i].stratum]++
	}
	return p
}

// top is what is shown of the ranking of a question.
func (p *probabilities) top(i int) []observation {
	return p.observed[i][:min(shown, len(p.observed[i]))]
}

// add adds the questions in, with a logistic that was fitted to those out.
func (p *probabilities) add(l profile.Logistic, in, out []int) {
	shares := make([]float64, len(p.run.questions))
	for _, i := range out {
		for _, o := range p.top(i) {
			if o.relevant {
				shares[i] += 1 / float64(len(p.top(i)))
			}
		}
	}
	share, _ := p.run.mean(shares, out)
	for _, i := range in {
		top := p.top(i)
		stratum := p.run.questions[i].stratum
		weight := p.shares[stratum] / p.count[stratum] / float64(len(top))
		for _, o := range top {
			is := 0.0
			if o.relevant {
				is = 1
			}
			said := l.Of(float64(o.z))
			p.brier[i] += (said - is) * (said - is) / float64(len(top))
			p.unaided[i] += (share - is) * (share - is) / float64(len(top))
			bin := &p.bins[min(int(said*10), 9)]
			bin.weight += weight
			bin.sum += weight * said
			bin.relevant += weight * is
		}
	}
}

func (p *probabilities) figures() (brier, unaided, calibration float64) {
	brier, _ = p.run.mean(p.brier, p.rows)
	unaided, _ = p.run.mean(p.unaided, p.rows)
	for _, b := range p.bins {
		calibration += math.Abs(b.sum - b.relevant)
	}
	return brier, unaided, calibration
}
