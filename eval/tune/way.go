package tune

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// Way is another way to compare documents with passages, ranked by the profile that
// is worth taking. A profile cannot choose it: documents would have to be stored
// anew.
type Way struct {
	Passages lab.Passages
	Sets     []float64 // in the order of Result.Sets
	Mean     float64
	Gain     stats.Interval // over the way that was tuned
}

// compare measures the other ways to compare documents.
func (r *run) compare(ctx context.Context) error {
	if len(r.config.Others) == 0 {
		return nil
	}
	base := r.values(r.taken)
	for _, how := range append([]lab.Passages{r.config.Passages}, r.config.Others...) {
		b := r.bench
		if how != r.config.Passages {
			var err error
			if b, err = r.by(how); err != nil {
				return err
			}
			if err := b.measure(ctx, r.taken); err != nil {
				return err
			}
		}
		w := Way{Passages: how}
		values := b.values(r.taken)
		for s := range r.places {
			mean, _ := b.mean(values, b.those(func(q *question) bool { return q.set == s }))
			w.Sets = append(w.Sets, mean)
		}
		w.Mean, _ = b.mean(values, b.all())
		var err error
		if w.Gain, err = b.interval(base, values, b.all(), r.config.Seed); err != nil {
			return err
		}
		r.result.Ways = append(r.result.Ways, w)
	}
	return nil
}

// by has the same questions, with documents compared in another way.
func (b *bench) by(how lab.Passages) (*bench, error) {
	out := &bench{strata: b.strata, questions: slices.Clone(b.questions)}
	for _, p := range b.places {
		other, err := newPlace(p.data, how)
		if err != nil {
			return nil, err
		}
		other.encoder = p.encoder // which has encoded all strings
		out.places = append(out.places, other)
	}
	for i := range out.questions {
		out.questions[i].known = map[trial]float64{}
	}
	return out, nil
}
