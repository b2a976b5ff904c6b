package nsfl_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/frozen"
)

var sets = flag.String("sets", "coco", "logic sets to measure the built-in encoder on; coco,films takes minutes")

// TestLogicSets checks the quality of the built-in encoder on the logic sets, with one
// vector per document and simple fusion.
func TestLogicSets(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes thousands of documents")
	}
	want := map[string]map[string]float64{
		"coco":  {"baseline": 0.4104, "rerank": 0.4667},
		"films": {"baseline": 0.1786, "rerank": 0.2217},
	}
	for set := range strings.SplitSeq(*sets, ",") {
		l := builtinLab(t, set)
		cells, means := l.measure(set, map[string]func(*prepared) []int{
			"baseline": l.baseline,
			"rerank":   func(p *prepared) []int { return l.rank(p, l.pool(p, 1000)) },
		})
		for name, mean := range means {
			t.Logf("%-6s %-8s %.4f  %.3f", set, name, mean, cells[name])
			// Processors round differently, which can change a rank.
			if math.Abs(mean-want[set][name]) > 0.002 {
				t.Errorf("%s, %s: mean mAP@100 = %.4f, want %.4f", set, name, mean, want[set][name])
			}
		}
	}
}

// TestNestedFormulas measures formulas beyond the paper's templates, with the built-in
// encoder on the coco captions: mAP@100 of the monolithic string, of the calculus over
// all documents, and of the calculus with the monolithic score in a maximum, as OR would
// do if it used F and M for alternatives that are formulas. It prints the table of
// doc/design.md.
func TestNestedFormulas(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes 5,000 documents")
	}
	l := builtinLab(t, "coco")
	names, with := l.together()
	const queries = 60
	for _, c := range []struct {
		kind    string
		negated bool // a disjunction of formulas that contain NOT, which M would undo
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
		for _, text := range formulas(names, with, c.kind, c.related, queries) {
			p := l.prepare(text, text)
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

// builtinLab uses the built-in encoder. Tests share the vectors of the documents.
func builtinLab(t *testing.T, set string) *lab {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, labels: frozen.Labels(t, set)}
	vectors := func(role encoder.Role, texts []string) [][]float32 {
		encoded, err := e.Encode(t.Context(), role, texts)
		if err != nil {
			t.Fatal(err)
		}
		return encoded.Vectors
	}
	documents.Lock()
	defer documents.Unlock()
	if documents.vectors[set] == nil {
		documents.vectors[set] = vectors(encoder.Document, frozen.Texts(t, set))
	}
	l.docs = documents.vectors[set]
	l.rows = slices.Concat(l.docs...)
	l.encode = func(strings []string) [][]float32 { return vectors(encoder.Query, strings) }
	return l
}

var documents = struct {
	sync.Mutex
	vectors map[string][][]float32
}{vectors: map[string][][]float32{}}

// together returns frequent labels, and the number of documents that have two of them.
func (l *lab) together() (names []string, with map[[2]string]int) {
	with = map[[2]string]int{}
	for _, labels := range l.labels {
		for a := range labels {
			for b := range labels {
				with[[2]string{a, b}]++
			}
		}
	}
	for pair, n := range with {
		if pair[0] == pair[1] && n >= 60 {
			names = append(names, pair[0])
		}
	}
	sort.Strings(names)
	return names, with
}

// formulas draws labels for the numbers in a kind of formula. Each related pair occurs
// together in some documents: otherwise a negation would exclude nothing, and a
// conjunction find nothing.
func formulas(names []string, with map[[2]string]int, kind string, related [][2]int, n int) (out []string) {
	r := rand.New(rand.NewPCG(5, 5))
	for len(out) < n {
		order := r.Perm(len(names))
		apart := slices.ContainsFunc(related, func(p [2]int) bool {
			return with[[2]string{names[order[p[0]]], names[order[p[1]]]}] < 15
		})
		if apart {
			continue
		}
		text := kind
		for i := range 4 {
			text = strings.ReplaceAll(text, fmt.Sprint(i), fmt.Sprintf("%q", names[order[i]]))
		}
		out = append(out, text)
	}
	return out
}
