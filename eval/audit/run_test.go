package audit

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Randomly reassigned labels have no relation to their documents, and the audit finds hardly
// any effect.
func TestShuffledLabels(t *testing.T) {
	const worlds = 20
	stands := 0
	for seed := uint64(101); seed < 101+worlds; seed++ {
		w := newWorld(t, seed, 400)
		w.shuffle(seed)
		a := w.audit(t, Config{Method: retrieve.Exact})
		if len(a.Pairs) < 10 {
			t.Fatalf("seed %d: only %d pairs were tested", seed, len(a.Pairs))
		}
		if a.Caps[0].Falls+a.Caps[0].Rises > 0 {
			stands++
		}
	}
	t.Logf("significant effects in %d of %d worlds, seeds from 101", stands, worlds)
	if stands > 4 { // one is expected; the chance of more than four is 0.3 %
		t.Errorf("got significant effects in %d of %d worlds without effects", stands, worlds)
	}
}

// In every mode the built-in effect is found, and a cap reduces it.
func TestCapsAndModes(t *testing.T) {
	w := newWorld(t, 3, 700)
	for _, mode := range []retrieve.Mode{retrieve.Exact, retrieve.Rerank, retrieve.Hybrid} {
		var mu sync.Mutex
		most, all := 0, 0
		a := w.audit(t, Config{Method: mode, Caps: []float64{0.5, 0, 0.1}, Seed: 1, Options: retrieve.Options{Research: retrieve.Research{Candidates: 400}}, Progress: func(done, total int) {
			mu.Lock()
			defer mu.Unlock()
			most, all = max(most, done), total
		}})
		if p := &a.Pairs[0]; p.Negated != "b0" || p.Label != "near" || !p.falls() {
			t.Errorf("%s: got the worst pair %+v", mode, p)
		}
		if len(a.Caps) != 3 || a.Caps[0].Cap != 0 || a.Caps[1].Cap != 0.5 || a.Caps[2].Cap != 0.1 {
			t.Fatalf("%s: got caps %+v", mode, a.Caps)
		}
		none, low := a.Caps[0], a.Caps[2]
		if none.Falls == 0 || none.Mean == nil || none.Cost != nil || none.MAP < 0.2 {
			t.Errorf("%s: without a cap: got %+v", mode, none)
		}
		if low.Change == nil || low.Change.High >= 0 || math.Abs(*low.Mean-*none.Mean-low.Change.Value) > 1e-9 || low.Typical >= none.Typical || low.Cost == nil {
			t.Errorf("%s: with a cap of 0.1: got %+v", mode, low)
		}
		if most != all || all != a.Queries+3*len(w.set.Queries) {
			t.Errorf("%s: progress ended with %d of %d after %d queries", mode, most, all, a.Queries)
		}
	}
}

// A NOT that does nothing has no effects and no standard errors.
func TestNothingMoves(t *testing.T) {
	c := Config{Method: retrieve.Exact, Caps: []float64{0.5}}
	c.Options.Logic = &logic.Options{Not: logic.C(0), NoFloor: logic.AllFloors}
	a := newWorld(t, 1, 400).audit(t, c)
	for _, p := range a.Pairs {
		if p.Excess != 0 || p.P != 1 {
			t.Errorf("%s moved: %+v", p.Label, p)
		}
	}
	if len(a.Pairs) == 0 || a.Caps[1].Falls != 0 || a.Caps[1].Mean != nil {
		t.Errorf("got %d pairs, caps %+v", len(a.Pairs), a.Caps)
	}
}

func TestRunRefuses(t *testing.T) {
	w := newWorld(t, 1, 60)
	corpus, err := lab.Encode(context.Background(), w, w.set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := newWorld(t, 1, 61).set
	bare, plain := *w.set, *w.set
	bare.Documents = func(yield func(sets.Document, error) bool) {
		for d := range w.set.Documents {
			d.Labels = nil
			if !yield(d, nil) {
				return
			}
		}
	}
	plain.Queries = []sets.Query{{ID: "plain", Formula: "a0 AND a1", Truth: "a0 AND a1"}}
	broken := *w.set
	broken.Documents = func(yield func(sets.Document, error) bool) { yield(sets.Document{}, errors.New("line 7 is no JSON")) }
	for _, c := range []struct {
		set  *sets.Set
		want string
	}{
		{other, `the vectors do not belong to the set: document 61 is "d60" there`},
		{&bare, "no document of the set has labels"},
		{&plain, "no query of the set negates a label"},
		{&broken, "line 7 is no JSON"},
	} {
		if _, err := Run(context.Background(), c.set, corpus, Config{Method: retrieve.Exact}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(done, newWorld(t, 1, 60).set, corpus, Config{Method: retrieve.Exact}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: got error %v", err)
	}
}
