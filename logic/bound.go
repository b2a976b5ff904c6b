package logic

// Bound is what no score can exceed, told by how similar documents can be at most to a few
// vectors, the streams, each a combination of a formula's terms. Who reads documents in the
// order of those similarities knows from it when what is left cannot be among the best.
//
// It stands on two things. A conjunction is F + c·(F − max aₖ), which no mixture of the
// (1+c)·F − c·aₖ is below; of those the shortest is taken. And where similarities are
// floored at 0, or are those of the best of several passages, a sum over terms of which one
// has a positive factor is not above the similarity to the one vector that the sum is of the
// terms' vectors. A gate lies between 0 and 1 once the true largest similarity is known,
// which has a bound of its own.
type Bound struct {
	Streams [][]float64 // by term: how much of its vector

	options Options
	root    limit
	gates   []limit // of what each gate is made of, where a gate needs its largest value
	against *against
	said    *Saying // nil: words do not count
}

// limit is the largest of some sums of streams.
type limit []sum

// sum are the streams that are added, each where it is above 0.
type sum []addend

type addend struct {
	stream int
	factor float64 // the sum of the factors of its terms
}

// against is the bound of what is purely negative: one stream, away from all of it.
type against struct {
	stream    int
	shares    []float64 // how much of each negated part is in it
	strengths []float64
	gates     []int
}

// maxStreams is how many vectors a search goes by at most.
const maxStreams = 16

// Bound is that of the program, and false where none is known. The weights of the shortest
// mixture of some combinations of terms are told by shortest, since it depends on the
// vectors.
func (p *Program) Bound(shortest func(combinations [][]float64) []float64) (*Bound, bool) {
	b := &binder{p: p, shortest: shortest, bound: &Bound{options: p.options}}
	root := p.root
	if last := len(p.ops) - 1; p.options.Words > 0 {
		root = p.ops[last].parts[0]
		b.bound.said = NewSaying(p.formula, p.formula.Root)
	}
	var ok bool
	if o := b.op(root); o != nil && o.kind == opAgainst {
		ok = b.away(o)
	} else {
		b.bound.root, ok = b.limit(root)
	}
	for _, g := range p.gates {
		var l limit
		if p.options.Gate.Kind != ByBound && ok {
			l, ok = b.limit(g.reg)
		}
		b.bound.gates = append(b.bound.gates, l)
	}
	return b.bound, ok && len(b.bound.Streams) > 0 && len(b.bound.Streams) <= maxStreams
}

// Score is what no score exceeds of documents whose similarity to each stream, its vector
// being as long as it is, is at most beyond. Maxima are those of the documents that were
// read, for which Holds is true; said is what words can say of the others at most.
func (b *Bound) Score(beyond, maxima []float64, said float64) float64 {
	value := b.options.Words * said
	if b.against != nil {
		return value + b.against.value(&b.options, beyond, maxima)
	}
	return value + b.value(b.root, beyond)
}

// Holds reports whether nothing beyond what was read can be more similar to what a gate is
// about than what was read.
func (b *Bound) Holds(beyond, maxima []float64) bool {
	for i, l := range b.gates {
		if l != nil && b.value(l, beyond) > maxima[i]+slack {
			return false
		}
	}
	return true
}

// slack is how far similarities are off that are computed in single precision.
const slack = 1e-5

// Said is what words can say of a document at most that has of each atom's words no more
// than it is given.
func (b *Bound) Said(most []float32) float64 {
	if b.said == nil {
		return 0
	}
	return b.said.most(most)
}

func (b *Bound) value(l limit, beyond []float64) float64 {
	best := 0.0
	for _, s := range l {
		total := 0.0
		for _, a := range s {
			v := beyond[a.stream]
			if b.options.Similarity == Affine {
				v = (a.factor + v) / 2
			}
			total += max(0, v)
		}
		best = max(best, total)
	}
	return best
}

// value: each 1 − strength·S/Ŝ is an upper bound, and so is their mixture in which the
// similarities have the shares that they have in the stream.
func (a *against) value(o *Options, beyond, maxima []float64) float64 {
	total := 0.0
	least := a.strengths[0]
	for j, share := range a.shares {
		total += share * (maxima[a.gates[j]] + epsilon) / a.strengths[j]
		least = min(least, a.strengths[j])
	}
	if !(total > 0) {
		return 1
	}
	v := 1 + min(0, beyond[a.stream])/total
	if o.GateCap != 0 {
		v = max(v, 1-least*o.GateCap)
	}
	return v
}
