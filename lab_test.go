package nsfl_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

// lab measures rankings of a logic set: mAP@100 with the denominator min(R, 100).
type lab struct {
	t      *testing.T
	docs   [][]float32
	rows   []float32 // the same, concatenated
	labels []map[string]bool
	encode func(strings []string) [][]float32
}

type prepared struct {
	formula *query.Formula
	program *logic.Program
	truth   query.Node
	vectors [][]float32
	columns [][]float32 // cosines of all documents to every term
}

// frozenLab uses precomputed vectors.
func frozenLab(t *testing.T, set string) *lab {
	l := &lab{t: t, docs: frozen.Vectors(t, set+".docs"), labels: frozen.Labels(t, set)}
	l.rows = slices.Concat(l.docs...)
	strings := frozen.Strings(t)
	l.encode = func(texts []string) [][]float32 {
		out := make([][]float32, len(texts))
		for i, s := range texts {
			if out[i] = strings[s]; out[i] == nil {
				t.Fatalf("no frozen vector for %q", s)
			}
		}
		return out
	}
	return l
}

// prepare parses a query and computes the cosines of all documents to its terms.
func (l *lab) prepare(formula, truth string) *prepared {
	p := &prepared{}
	var err error
	if p.formula, err = query.ParseFormula(formula); err != nil {
		l.t.Fatal(err)
	}
	if p.truth, err = query.Parse(truth); err != nil {
		l.t.Fatal(err)
	}
	if p.program, err = logic.Compile(p.formula, logic.Options{}); err != nil {
		l.t.Fatal(err)
	}
	plan := fusion.New(p.formula, fusion.Simple)
	if p.vectors, err = plan.Vectors(l.encode(plan.Strings), nil); err != nil {
		l.t.Fatal(err)
	}
	for _, v := range p.vectors {
		p.columns = append(p.columns, l.cosines(v))
	}
	return p
}

// templates are those of the paper, in its order.
var templates = []string{"A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C"}

// measure returns the mAP@100 of each template, and their mean, for several methods.
func (l *lab) measure(set string, methods map[string]func(*prepared) []int) (cells map[string][]float64, means map[string]float64) {
	cells, means = map[string][]float64{}, map[string]float64{}
	counts := make([]float64, len(templates))
	for name := range methods {
		cells[name] = make([]float64, len(templates))
	}
	for _, q := range frozen.Queries(l.t, set) {
		p := l.prepare(q.Formula, q.Truth)
		i := slices.Index(templates, q.Template)
		counts[i]++
		for name, method := range methods {
			cells[name][i] += l.averagePrecision(method(p), p)
		}
	}
	for name, c := range cells {
		for i := range c {
			c[i] /= counts[i]
			means[name] += c[i] / float64(len(templates))
		}
	}
	return cells, means
}

// cosines returns the cosines of all documents to v.
func (l *lab) cosines(v []float32) []float32 {
	packed, err := vec.Pack(v)
	if err != nil {
		l.t.Fatal(err)
	}
	out := make([]float32, len(l.docs))
	packed.Dots([][]float32{out}, l.rows)
	return out
}

func (l *lab) monolithic(p *prepared) []float32 {
	return p.columns[p.formula.Terms.Index(p.formula.Monolithic())]
}

func (l *lab) baseline(p *prepared) []int { return l.pool(p, 100) }

// pool returns the k documents nearest to the monolithic vector.
func (l *lab) pool(p *prepared, k int) []int { return l.nearest(l.monolithic(p), k) }

// nearest returns the k documents with the largest cosines.
func (l *lab) nearest(cosines []float32, k int) []int {
	all := make([]int, len(l.docs))
	for i := range all {
		all[i] = i
	}
	return best(all, cosines, k)
}

// geometric returns the cosine of every document to the geometric query vector.
func (l *lab) geometric(p *prepared) []float32 {
	v, err := sphere.Geometric(p.formula, p.vectors)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.cosines(v)
}

// optimized returns the cosine of every document to x*.
func (l *lab) optimized(p *prepared) []float32 {
	r, err := sphere.Exact(p.program.Objective(), p.vectors)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.cosines(r.Vector)
}

// descended is optimized with the paper's own algorithm.
func (l *lab) descended(p *prepared) []float32 {
	if isOr(p) { // the maximum is degenerate
		return l.monolithic(p)
	}
	r, err := sphere.RSGD(p.program.Objective(), p.vectors, 1)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.cosines(r.Vector)
}

func isOr(p *prepared) bool { _, ok := p.formula.Root.(*query.Or); return ok }

// rank orders a pool by the calculus.
func (l *lab) rank(p *prepared, pool []int) []int {
	columns := make([][]float32, len(p.columns))
	for c := range columns {
		columns[c] = make([]float32, len(pool))
		for i, d := range pool {
			columns[c][i] = p.columns[c][d]
		}
	}
	scores := make([]float32, len(pool))
	if _, err := p.program.Rank(scores, columns); err != nil {
		l.t.Fatal(err)
	}
	byDoc := make([]float32, len(l.docs))
	for i, d := range pool {
		byDoc[d] = scores[i]
	}
	return best(pool, byDoc, 100)
}

func best(docs []int, scores []float32, k int) []int {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	return docs[:min(k, len(docs))]
}

func (l *lab) averagePrecision(ranking []int, p *prepared) float64 {
	relevant := 0
	for _, labels := range l.labels {
		if holds(p.truth, labels) {
			relevant++
		}
	}
	sum, hits := 0.0, 0
	for i, d := range ranking {
		if holds(p.truth, l.labels[d]) {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum / float64(min(relevant, 100))
}

func holds(n query.Node, labels map[string]bool) bool {
	switch n := n.(type) {
	case *query.Atom:
		return labels[n.Text]
	case *query.Not:
		return !holds(n.X, labels)
	case *query.And:
		return !slices.ContainsFunc(n.Parts, func(p query.Node) bool { return !holds(p, labels) })
	case *query.Or:
		return slices.ContainsFunc(n.Parts, func(p query.Node) bool { return holds(p, labels) })
	}
	panic(fmt.Sprintf("no truth for %s", n))
}
