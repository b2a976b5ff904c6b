package audit

import (
	"cmp"
	"slices"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// study is all questions with their places.
type study struct {
	labels    *labelled
	questions []*question
}

// findings are the effects under one cap.
type findings struct {
	pairs   []Pair
	labels  []Label
	nearest *Pair
}

// analyse estimates the effects under the k-th cap, and tests them.
func (s *study) analyse(k int) (*findings, error) {
	f := &findings{pairs: []Pair{}, labels: []Label{}}
	all := map[int]*labelStudy{}
	for b, questions := range s.byNegated() {
		for _, label := range labelsOf(questions) {
			if all[label] == nil {
				all[label] = &labelStudy{crossed: stats.NewCrossed(len(s.labels.of)), documents: map[int]bool{}}
			}
			p, tested, err := s.pair(b, label, questions, k, all[label])
			if err != nil {
				return nil, err
			}
			if tested {
				f.pairs = append(f.pairs, p)
			} else if f.nearest == nil || p.Queries > f.nearest.Queries || p.Queries == f.nearest.Queries && p.Documents > f.nearest.Documents {
				f.nearest = &p
			}
		}
	}
	if len(f.pairs) > 0 {
		f.nearest = nil
	}
	for label := range s.labels.names {
		l := all[label]
		if l == nil || l.groups < MinQueries || len(l.documents) < MinDocuments {
			continue
		}
		e, err := newEffect(l.crossed, l.documents)
		if err != nil {
			return nil, err
		}
		f.labels = append(f.labels, Label{Label: s.labels.names[label], Negated: l.groups, Effect: e})
	}
	return f, f.correct()
}

// byNegated are the questions that negate each label, in the order of labels.
func (s *study) byNegated() func(yield func(int, []*question) bool) {
	by := map[int][]*question{}
	for _, n := range s.questions {
		for _, b := range n.negated {
			by[b] = append(by[b], n)
		}
	}
	return func(yield func(int, []*question) bool) {
		for b := range s.labels.names {
			if len(by[b]) > 0 && !yield(b, by[b]) {
				return
			}
		}
	}
}

// labelsOf are the labels that any of some questions supports.
func labelsOf(questions []*question) (labels []int) {
	for _, n := range questions {
		for l := range n.with {
			if n.supports(l) {
				labels = append(labels, l)
			}
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// labelStudy gathers a label under all negations.
type labelStudy struct {
	crossed   *stats.Crossed
	groups    int
	documents map[int]bool
}

// pair estimates a pair and adds what it saw to its label. It is not
// tested where its support is too small.
func (s *study) pair(b, label int, questions []*question, k int, all *labelStudy) (p Pair, tested bool, err error) {
	p = Pair{Negated: s.labels.names[b], Label: s.labels.names[label]}
	crossed, documents := stats.NewCrossed(len(s.labels.of)), map[int]bool{}
	rows := 0
	for i, n := range questions {
		if !n.supports(label) {
			continue
		}
		e, ok := measure(n.before, n.after[k], n.with[label])
		if !ok {
			continue
		}
		rows++
		crossed.Add(i, e.value)
		all.crossed.Add(b, e.value)
		for at, u := range e.influence {
			document := n.fits[n.right[at]]
			crossed.Influence(document, u)
			all.crossed.Influence(document, u)
		}
		for _, at := range n.with[label] {
			document := n.fits[n.right[at]]
			documents[document], all.documents[document] = true, true
		}
		everyone := make([]int, len(n.fits))
		for at := range everyone {
			everyone[at] = at
		}
		p.Crude += difference(n.first, n.last, n.among[label], everyone)
		p.Apart += difference(n.first, n.last, n.among[label], n.right)
	}
	p.Support = Support{rows, len(documents)}
	if rows > 0 {
		all.groups++
		p.Crude /= float64(rows)
		p.Apart /= float64(rows)
	}
	if rows < MinQueries || len(documents) < MinDocuments {
		return p, false, nil
	}
	p.Effect, err = newEffect(crossed, documents)
	return p, true, err
}

func newEffect(c *stats.Crossed, documents map[int]bool) (Effect, error) {
	r, err := c.Mean()
	if err != nil {
		return Effect{}, err
	}
	return Effect{Support: Support{r.N, len(documents)}, Excess: r.Value, Low: r.Low, High: r.High, SE: r.SE, P: r.P}, nil
}

// correct corrects the tests of pairs and of labels, and sorts both.
func (f *findings) correct() error {
	var pairs, labels []*Effect
	for i := range f.pairs {
		pairs = append(pairs, &f.pairs[i].Effect)
	}
	for i := range f.labels {
		labels = append(labels, &f.labels[i].Effect)
	}
	for _, family := range [][]*Effect{pairs, labels} {
		var p []float64
		for _, e := range family {
			p = append(p, e.P)
		}
		bh, err := stats.BenjaminiHochberg(p)
		if err != nil {
			return err
		}
		holm, err := stats.Holm(p)
		if err != nil {
			return err
		}
		for i, e := range family {
			e.PBH, e.PHolm = bh[i], holm[i]
		}
	}
	slices.SortStableFunc(f.pairs, func(a, b Pair) int { return worse(&a.Effect, &b.Effect) })
	slices.SortStableFunc(f.labels, func(a, b Label) int { return worse(&a.Effect, &b.Effect) })
	return nil
}

// worse orders effects: falls that stand first, and then the larger fall.
func worse(a, b *Effect) int {
	if a.falls() != b.falls() {
		if a.falls() {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.Excess, a.Excess)
}
