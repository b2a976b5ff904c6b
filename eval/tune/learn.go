package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/profile"
)

// learn chooses a profile by each of the lists of questions, beginning with start.
// All of them go step by step together, so that what several need is found once.
func (b *bench) learn(ctx context.Context, start *profile.Profile, trainings [][]int) ([]*profile.Profile, error) {
	if err := b.measure(ctx, start); err != nil {
		return nil, err
	}
	out := make([]*profile.Profile, len(trainings))
	for t := range out {
		out[t] = bare(start)
	}
	var kinds [][]*element
	for _, k := range tuned {
		kinds = append(kinds, operators(k))
	}
	for _, stage := range [][][]*element{{refinements()}, kinds} {
		for moved := true; moved; {
			var next []*profile.Profile // that a step compares
			for _, p := range out {
				for _, elements := range stage {
					for _, c := range changes(elements, p) {
						next = append(next, c.on(p))
					}
				}
			}
			if err := b.measure(ctx, next...); err != nil {
				return nil, err
			}
			moved = false
			for t, before := range out {
				out[t] = b.step(stage, before, trainings[t])
				moved = moved || out[t] != before
			}
		}
	}
	return out, nil
}

// step takes the best change of each group of elements where it gains more than its
// standard error, the first of equal ones. Groups do not touch each other's
// formulas. It is p itself where there is none.
func (b *bench) step(groups [][]*element, p *profile.Profile, rows []int) *profile.Profile {
	out := p
	for _, elements := range groups {
		var best *change
		most := 0.0
		for _, c := range changes(elements, p) {
			gain, deviation := b.gain(p, c.on(p), rows)
			if gain > deviation && gain > most+leastGain {
				best, most = &c, gain
			}
		}
		if best != nil {
			out = best.on(out)
		}
	}
	return out
}

// leastGain is less than any figure shows. Sums of the same terms in another order
// are no gain.
const leastGain = 1e-9
