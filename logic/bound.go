package logic

// Bound is an upper bound of the scores of unseen documents, given upper bounds of their
// similarity to a few vectors, the streams, each of which is a combination of a formula's
// terms. A search that reads documents in order of those similarities can stop when no
// unseen document can be among the best.
//
// It relies on two facts. First, a conjunction F + c·(F − max aₖ) is at most any mixture
// of the (1+c)·F − c·aₖ; the shortest mixture is used. Second, if similarities are
// clamped at 0, or are the maximum over several passages, a sum over terms with one
// positive factor is at most the similarity to the same sum of the terms' vectors. A gate
// is between 0 and 1 once the true largest similarity is known, which has its own bound.
type Bound struct {
	Streams [][]float64 // weight of each term's vector

	options Options
	root    limit
	gates   []limit // bounds of the operands of gates that need their largest value
	against *against
	lexical *LexicalScore // nil if words do not count
}

// limit is the maximum of several sums of streams.
type limit []sum

// sum adds streams, each clamped at 0.
type sum []addend

type addend struct {
	stream int
	factor float64 // sum of the factors of its terms
}

// against is the bound of a purely negative query: one stream that points away from all
// its parts.
type against struct {
	stream    int
	shares    []float64 // fraction of each negated part in the stream
	strengths []float64
	gates     []int
}

// maxStreams is the maximum number of vectors that a search reads by.
const maxStreams = 16

// Bound returns the bound of the program, or false if none is known. shortest returns the
// weights of the shortest mixture of combinations of terms, which depends on the vectors.
func (p *Program) Bound(shortest func(combinations [][]float64) []float64) (*Bound, bool) {
	b := &binder{p: p, shortest: shortest, bound: &Bound{options: p.options}}
	root := p.root
	if last := len(p.ops) - 1; p.options.Words > 0 {
		root = p.ops[last].parts[0]
		b.bound.lexical = NewLexicalScore(p.formula, p.formula.Root)
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

// Score returns the upper bound of scores of documents whose similarity to each
// unnormalized stream is at most beyond. maxima are those of the documents read so far,
// for which Holds must be true; lexical is an upper bound of the lexical score of the
// others.
func (b *Bound) Score(beyond, maxima []float64, lexical float64) float64 {
	value := b.options.Words * lexical
	if b.against != nil {
		return value + b.against.value(&b.options, beyond, maxima)
	}
	return value + b.value(b.root, beyond)
}

// Holds reports whether no unseen document can exceed the maxima of the gates.
func (b *Bound) Holds(beyond, maxima []float64) bool {
	for i, l := range b.gates {
		if l != nil && b.value(l, beyond) > maxima[i]+slack {
			return false
		}
	}
	return true
}

// slack is the error of similarities computed in single precision.
const slack = 1e-5

// Lexical returns an upper bound of the lexical score of a document, given upper bounds of
// its share of each atom's words.
func (b *Bound) Lexical(most []float32) float64 {
	if b.lexical == nil {
		return 0
	}
	return b.lexical.most(most)
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

// value: each 1 − strength·S/Ŝ is an upper bound, and so is their mixture with the shares
// of the stream.
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
