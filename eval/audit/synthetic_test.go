package audit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/retrieve"
)

// world is a set with known effects. Documents are sums of directions, one per label: a0 …
// a9, b0 and b1, far and near. near is close to b0, so NOT b0 demotes it. Documents with
// early have a stronger a, and so start high, but are unrelated to any b. Labels s0 … s3 are
// drawn at random and appear in no vector.
type world struct {
	set     *sets.Set
	vectors map[string][]float32
}

const worldDim = 16

var directions = func() map[string][]float64 {
	out := map[string][]float64{}
	for i, name := range []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b0", "b1", "far", "near"} {
		out[name] = make([]float64, worldDim)
		out[name][i] = 1
	}
	for i := range out["near"] {
		out["near"][i] = 0.6*out["near"][i] + 0.8*out["b0"][i]
	}
	return out
}()

func newWorld(t *testing.T, seed uint64, documents int) *world {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	w := &world{set: &sets.Set{Name: "world", Split: "dev"}, vectors: map[string][]float32{}}
	var docs []sets.Document
	for i := range documents {
		var labels []string
		chance := func(p float64, name string) {
			if random.Float64() < p {
				labels = append(labels, name)
			}
		}
		for k := range 10 {
			chance(0.15, fmt.Sprint("a", k))
		}
		for _, name := range []string{"b0", "b1", "far", "near", "early", "s0", "s1", "s2", "s3"} {
			chance(0.3, name)
		}
		v := make([]float64, worldDim)
		for k := range v {
			v[k] = 0.12 * random.NormFloat64()
		}
		for _, l := range labels {
			weight := 0.6
			if strings.HasPrefix(l, "a") && slices.Contains(labels, "early") {
				weight = 1.2
			}
			for k, d := range directions[l] {
				v[k] += weight * d
			}
		}
		id := fmt.Sprint("d", i)
		w.vectors[id] = unit(v)
		docs = append(docs, sets.Document{ID: id, Title: id, Labels: labels})
	}
	w.set.Documents = func(yield func(sets.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
	for k := range 10 {
		f := fmt.Sprintf("a%d AND NOT b%d", k, k%2)
		q := sets.Query{ID: f, Template: "A AND NOT B", Formula: f, Truth: f}
		grades := map[string]int{}
		for _, d := range docs {
			if slices.Contains(d.Labels, fmt.Sprint("a", k)) && !slices.Contains(d.Labels, fmt.Sprint("b", k%2)) {
				grades[d.ID] = 1
			}
		}
		q.SetGrades(grades)
		w.set.Queries = append(w.set.Queries, q)
	}
	return w
}

// shuffle randomly reassigns all labels except a0 … a9, b0 and b1.
func (w *world) shuffle(seed uint64) {
	var docs []sets.Document
	for d := range w.set.Documents {
		docs = append(docs, d)
	}
	named := func(l string) bool { return l[0] == 'a' || l[0] == 'b' }
	from := rand.New(rand.NewPCG(seed, 2)).Perm(len(docs))
	w.set.Documents = func(yield func(sets.Document, error) bool) {
		for i, d := range docs {
			d.Labels = slices.DeleteFunc(slices.Clone(d.Labels), func(l string) bool { return !named(l) })
			d.Labels = append(d.Labels, slices.DeleteFunc(slices.Clone(docs[from[i]].Labels), named)...)
			if !yield(d, nil) {
				return
			}
		}
	}
}

func unit(v []float64) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / math.Sqrt(sum))
	}
	return out
}

func (w *world) Identity() encoder.Identity {
	return encoder.Identity{Name: "world", Dimension: worldDim}
}

// Encode looks up documents by id; the vector of a string is the sum of its words.
func (w *world) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, text := range texts {
		if v, known := w.vectors[text]; known {
			out.Vectors = append(out.Vectors, v)
			continue
		}
		v := make([]float64, worldDim)
		for _, word := range strings.Fields(text) {
			for k, d := range directions[word] {
				v[k] += d
			}
		}
		out.Vectors = append(out.Vectors, unit(v))
	}
	return out, nil
}

func (w *world) audit(t *testing.T, c Config) *Audit {
	t.Helper()
	corpus, err := lab.Encode(context.Background(), w, w.set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Run(context.Background(), w.set, corpus, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *Audit) find(t *testing.T, negated, label string) *Pair {
	t.Helper()
	for i := range a.Pairs {
		if p := &a.Pairs[i]; p.Negated == negated && p.Label == label {
			return p
		}
	}
	t.Fatalf("NOT %s and %s was not tested among %d pairs", negated, label, len(a.Pairs))
	return nil
}

// Over many worlds the audit finds the built-in effect, and hardly anything else.
func TestKnownTruth(t *testing.T) {
	const worlds = 20
	var found, tests, chance, false5 int
	var near, early float64
	for seed := uint64(1); seed <= worlds; seed++ {
		a := newWorld(t, seed, 500).audit(t, Config{Method: retrieve.Exact})
		p := a.find(t, "b0", "near")
		near += p.Excess / worlds
		if p.falls() {
			found++
		}
		e := a.find(t, "b1", "early")
		early += e.Excess / worlds
		wrong := false
		for i := range a.Pairs {
			p := &a.Pairs[i]
			if p.Negated != "b1" && !strings.HasPrefix(p.Label, "s") {
				continue // b0 has real effects: near falls, so others rise
			}
			tests++
			if p.P <= 0.05 {
				chance++
			}
			wrong = wrong || p.falls() || p.rises()
		}
		if wrong {
			false5++
		}
	}
	t.Logf("seeds 1 to %d: near falls by %.1f, found %d times; of %d tests without an effect %d have p ≤ 0.05; in %d worlds one stands after correction; early: excess %.2f",
		worlds, near, found, tests, chance, false5, early)
	if found < worlds-1 || near < 5 {
		t.Errorf("the demoted label was found in %d of %d worlds, with a fall of %.1f", found, worlds, near)
	}
	if share := float64(chance) / float64(tests); share > 0.06 {
		t.Errorf("%.3f of the tests without an effect have p ≤ 0.05, want about 0.05", share)
	}
	if false5 > 4 { // one is expected; the chance of more than four is 0.3 %
		t.Errorf("got false positives in %d of %d worlds, want about 5 %%", false5, worlds)
	}
	if math.Abs(early) > 0.5 {
		t.Errorf("a label whose documents start high: got excess %.2f, want 0", early)
	}
}
