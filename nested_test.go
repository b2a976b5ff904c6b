package nsfl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Formulas beyond the paper's templates, with the built-in encoder on the coco
// captions: mAP@100 of the monolithic string, of the calculus over all
// documents, and of the calculus with the monolithic score in a maximum, which
// is what OR would do if it took F and M also where its alternatives are
// formulas. It prints the table of doc/design.md.
func TestNestedFormulas(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes 5,000 documents")
	}
	l := encodedLab(t)
	const queries = 60
	for _, c := range []struct {
		kind    string
		negated bool // a disjunction of formulas with NOT in them: M would undo it
		related [][2]int
	}{
		{"(0 AND NOT 1) OR 2", true, [][2]int{{0, 1}}},
		{"(0 AND 1) OR 2", false, [][2]int{{0, 1}}},
		{"(0 AND NOT 1) OR (2 AND NOT 3)", true, [][2]int{{0, 1}, {2, 3}}},
		{"(0 OR 1) AND 2", false, [][2]int{{0, 2}, {1, 2}}},
		{"(0 OR 1) AND NOT 2", false, [][2]int{{0, 2}, {1, 2}}},
		{"0 AND NOT 1 AND NOT 2", false, [][2]int{{0, 1}, {0, 2}}},
		{"0 AND NOT (1 AND 2)", false, [][2]int{{0, 1}, {0, 2}}},
	} {
		var baseline, calculus, withM float64
		for _, text := range l.formulas(c.kind, c.related, queries) {
			p := l.prepare(text)
			baseline += l.averagePrecision(l.pool(p, 100), p) / queries
			scores := make([]float32, len(l.docs))
			if _, err := p.program.Rank(scores, p.columns); err != nil {
				t.Fatal(err)
			}
			calculus += l.averagePrecision(l.nearest(scores, 100), p) / queries
			for i, m := range l.monolithic(p) {
				scores[i] = max(scores[i], m)
			}
			withM += l.averagePrecision(l.nearest(scores, 100), p) / queries
		}
		t.Logf("%-32s baseline %.3f  calculus %.3f  with M %.3f", c.kind, baseline, calculus, withM)
		if calculus <= baseline {
			t.Errorf("%s: the calculus does not beat the monolithic string", c.kind)
		}
		if c.negated && calculus <= withM {
			t.Errorf("%s: taking M into the maximum would be better", c.kind)
		}
	}
}

type nestedLab struct {
	lab
	encoder *builtin.Encoder
	names   []string          // frequent labels
	with    map[[2]string]int // documents that have both
}

func encodedLab(t *testing.T) *nestedLab {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	l := &nestedLab{lab: lab{t: t, labels: frozen.Labels(t, "coco")}, encoder: e, with: map[[2]string]int{}}
	encoded, err := e.Encode(t.Context(), encoder.Document, frozen.Texts(t, "coco"))
	if err != nil {
		t.Fatal(err)
	}
	l.docs = encoded.Vectors
	l.rows = slices.Concat(l.docs...)
	for _, labels := range l.labels {
		for a := range labels {
			for b := range labels {
				l.with[[2]string{a, b}]++
			}
		}
	}
	for pair, n := range l.with {
		if pair[0] == pair[1] && n >= 60 {
			l.names = append(l.names, pair[0])
		}
	}
	sort.Strings(l.names)
	return l
}

// formulas draws labels for the numbers in a kind of formula, such that each
// related pair occurs together in some documents: otherwise a negation would
// remove nothing, and a conjunction find nothing.
func (l *nestedLab) formulas(kind string, related [][2]int, n int) (out []string) {
	r := rand.New(rand.NewPCG(5, 5))
	for len(out) < n {
		order := r.Perm(len(l.names))
		apart := slices.ContainsFunc(related, func(p [2]int) bool {
			return l.with[[2]string{l.names[order[p[0]]], l.names[order[p[1]]]}] < 15
		})
		if apart {
			continue
		}
		text := kind
		for i := range 4 {
			text = strings.ReplaceAll(text, fmt.Sprint(i), fmt.Sprintf("%q", l.names[order[i]]))
		}
		out = append(out, text)
	}
	return out
}

func (l *nestedLab) prepare(text string) *prepared {
	f, err := query.ParseFormula(text)
	if err != nil {
		l.t.Fatal(err)
	}
	p := &prepared{formula: f, truth: f.Root}
	if p.program, err = logic.Compile(f, logic.Options{}); err != nil {
		l.t.Fatal(err)
	}
	plan := fusion.New(f, fusion.Simple)
	encoded, err := l.encoder.Encode(l.t.Context(), encoder.Query, plan.Strings)
	if err != nil {
		l.t.Fatal(err)
	}
	if p.vectors, err = plan.Vectors(encoded.Vectors, nil); err != nil {
		l.t.Fatal(err)
	}
	for _, v := range p.vectors {
		p.columns = append(p.columns, l.cosines(v))
	}
	return p
}
