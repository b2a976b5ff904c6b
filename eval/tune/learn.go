package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/profile"
)

// learn selects a profile for each of the training sets, starting with start. It advances all
// of them step by step, so that shared measurements are made once.
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
			var next []*profile.Profile // profiles that the step compares
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

// step applies the best change of each group of elements if its gain exceeds its standard
// error; ties go to the first. Groups affect different formulas. It returns p itself if there
// is no such change.
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

// leastGain is below the precision of any figure. Summing in a different order is not a gain.
const leastGain = 1e-9
