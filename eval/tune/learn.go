package tune

import (
	"context"
	"slices"
)

// learn selects a choice for each of the training sets, starting with the default. It advances
// all of them step by step, so that shared measurements are made once.
func (b *bench) learn(ctx context.Context, trainings [][]int) ([]choice, error) {
	start := choiceOf(b.start)
	out := slices.Repeat([]choice{start}, len(trainings))
	if err := b.measure(ctx, start); err != nil {
		return nil, err
	}
	for moved := true; moved; {
		var next []choice // choices that the step compares
		for _, c := range out {
			next = append(next, c.changes()...)
		}
		if err := b.measure(ctx, next...); err != nil {
			return nil, err
		}
		moved = false
		for t, before := range out {
			out[t] = b.step(before, trainings[t])
			moved = moved || out[t] != before
		}
	}
	return out, nil
}

// step applies the best change if its gain exceeds its standard error; ties go to the first. It
// returns the choice itself if there is no such change.
func (b *bench) step(c choice, rows []int) choice {
	best, most := c, 0.0
	for _, change := range c.changes() {
		gain, deviation := b.gain(c, change, rows)
		if gain > deviation && gain > most+leastGain {
			best, most = change, gain
		}
	}
	return best
}

// leastGain is below the precision of any figure. Summing in a different order is not a gain.
const leastGain = 1e-9
