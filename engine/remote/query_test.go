package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

func ref(i int) engine.Ref { return engine.Ref{Number: uint64(i)} }

// found has documents whose similarities to the axis are given.
func found(t *testing.T, k int, similarities ...float32) *Findings {
	t.Helper()
	axis := [][]float32{{1, 0}}
	q, err := NewSearch(2, axis, k, nil, [][]float32{{0, 2}, {3, 0}, {0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if len(q.Vectors) != 2 || !slices.Equal(q.Near, []int{0}) || !slices.Equal(q.Wanted, []int{1, 0, 1}) {
		t.Fatalf("got %+v, want two vectors, the first near, and 1, 0 and 1 wanted", q)
	}
	f := q.Findings()
	for i, x := range similarities {
		f.Add(ref(i), []float32{x, float32(i)})
		f.Add(ref(i), []float32{-1, -1}) // it is there already
	}
	return f
}

func TestColumns(t *testing.T) {
	f := found(t, 3, 0.5, 0.9, 0.5, 0.1, 0.5)
	c := f.Columns()
	if want := []engine.Ref{ref(1), ref(0), ref(2)}; !slices.Equal(c.Refs, want) {
		t.Errorf("%v, want %v: equal ones by Ref", c.Refs, want)
	}
	if want := [][]float32{{1, 0, 2}, {0.9, 0.5, 0.5}, {1, 0, 2}}; fmt.Sprint(c.Similarities) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", c.Similarities, want)
	}
	c = f.InOrder([]engine.Ref{ref(4), ref(9), ref(0)})
	if want := []engine.Ref{ref(4), ref(0)}; !slices.Equal(c.Refs, want) || c.Similarities[0][0] != 4 {
		t.Errorf("%+v, want %v", c, want)
	}
}

func TestState(t *testing.T) {
	for _, c := range []struct {
		what                string
		similarities        []float32
		documents, passages End
		least               int
		want                State
	}{
		{"the k-th is above both", []float32{0.9, 0.8}, End{Last: 0.7}, End{Last: 0.7}, 100, Complete},
		{"what is in neither list may be better", []float32{0.9, 0.8}, End{Last: 0.7}, End{Last: 0.95}, 100, Incomplete},
		{"so it may without passages", []float32{0.9, 0.8}, End{Last: 0.85}, End{Last: -1}, 100, Incomplete},
		{"there are no more passages", []float32{0.9, 0.8}, End{Last: 0.7}, End{Last: 0.99, All: true}, 100, Complete},
		{"there are no more documents", []float32{0.9, 0.8}, End{Last: 0.99, All: true}, End{Last: 0.99}, 100, Complete},
		{"too few, and the list is full", []float32{0.9}, End{Last: 0.1}, End{Last: 0.1}, 100, Incomplete},
		{"too few, and the index has no more", []float32{0.9}, End{Last: 0.1, All: true}, End{}, 100, Short},
		{"few, and that is all there can be", []float32{0.9}, End{Last: 0.1, All: true}, End{}, 1, Complete},
		{"none", nil, End{All: true}, End{All: true}, 0, Complete},
		{"none of one", nil, End{All: true}, End{All: true}, 1, Short},
	} {
		f := found(t, 2, c.similarities...)
		f.Ends[0] = [2]End{c.documents, c.passages}
		f.Slack = 1e-6
		if got := f.State(c.least); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// Lists get twice as long while something is missing, and the length that is remembered
// is less.
func TestReach(t *testing.T) {
	var r Reach
	search := func(most, enough int) (limits []int, state State) {
		state, err := r.Search(10, most, func(limit int) (State, error) {
			limits = append(limits, limit)
			if limit >= enough {
				return Complete, nil
			}
			return Incomplete, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return limits, state
	}
	for _, c := range []struct {
		most, enough int
		want         []int
		state        State
	}{
		{0, 5, []int{10}, Complete},
		{0, 15, []int{10, 20}, Complete},
		{0, 5, []int{20}, Complete},
		{0, 1000, []int{20, 40, 80, 160}, Short},
		{0, 5, []int{40}, Complete},
		{50, 1000, []int{40, 50}, Short},
	} {
		if got, state := search(c.most, c.enough); !slices.Equal(got, c.want) || state != c.state {
			t.Errorf("up to %d, enough are %d: %v and %d, want %v", c.most, c.enough, got, state, c.want)
		}
	}
	if state, err := r.Search(1, 0, func(int) (State, error) { return Incomplete, errors.New("lost") }); err == nil {
		t.Errorf("an error is lost: %d", state)
	}
}

// A size is counted once in a while, and again after something was written.
func TestSize(t *testing.T) {
	var s Size
	counted := 0
	count := func(context.Context) (engine.Size, error) {
		counted++
		return engine.Size{Documents: counted}, nil
	}
	for i, want := range []int{1, 1, 2, 2} {
		if i == 2 {
			s.Forget()
		}
		if got, err := s.Get(context.Background(), count); err != nil || got.Documents != want {
			t.Errorf("%d: %d documents, %v, want %d", i, got.Documents, err, want)
		}
	}
	s.Forget()
	during := func(ctx context.Context) (engine.Size, error) {
		s.Forget() // something is written meanwhile
		return count(ctx)
	}
	for want := 3; want < 5; want++ {
		if got, err := s.Get(context.Background(), during); err != nil || got.Documents != want {
			t.Errorf("%d documents, %v, want %d", got.Documents, err, want)
		}
	}
	s.at = time.Now().Add(-time.Minute)
	if _, err := s.Get(context.Background(), func(context.Context) (engine.Size, error) { return engine.Size{}, errors.New("lost") }); err == nil {
		t.Error("what is old is not counted again")
	}
}

func TestCalls(t *testing.T) {
	FirstPause = time.Millisecond
	c := &Calls{Place: "place", Options: engine.Options{ReadOnly: true, Timeout: time.Second}, Reword: func(err error) error { return fmt.Errorf("reworded: %w", err) }}
	lost := errors.New("lost")
	tries := 0
	again := func(hope bool) func(context.Context) error {
		return func(ctx context.Context) error {
			return Again(ctx, func(error) bool { return hope }, func() error { tries++; return lost })
		}
	}
	if err := c.Read(context.Background(), "reading", again(true)); !errors.Is(err, lost) || err.Error() != "reading in place: reworded: lost" || tries != 1+Repetitions {
		t.Errorf("%v after %d tries", err, tries)
	}
	tries = 0
	if err := c.Read(context.Background(), "reading", again(false)); !errors.Is(err, lost) || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
	if err := c.Write(context.Background(), "writing", again(true)); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("writing: %v", err)
	}
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	if err := c.Run(context.Background(), "waiting", time.Millisecond, wait); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 1ms") || strings.Contains(err.Error(), "reworded") {
		t.Errorf("slow: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Read(cancelled, "waiting", wait); !errors.Is(err, context.Canceled) || err.Error() != "waiting: context canceled" {
		t.Errorf("cancelled: %v", err)
	}
	mismatch := &engine.MismatchError{Dir: "place", What: "encoder"}
	if err := c.Explain("opening", mismatch); err.Error() != mismatch.Error() {
		t.Errorf("a mismatch: %v", err)
	}
	closed := 0
	for _, want := range []error{lost, nil} {
		if err := c.Close(func() error { closed++; return lost }); !errors.Is(err, want) {
			t.Errorf("closing: %v, want %v", err, want)
		}
	}
	if err := c.Read(context.Background(), "reading", wait); !errors.Is(err, engine.ErrClosed) || closed != 1 {
		t.Errorf("after it was closed: %v", err)
	}
}

func TestCheckDimension(t *testing.T) {
	c := &Calls{Place: "place", Options: engine.Options{Encoder: "any"}}
	for dim, good := range map[int]bool{-1: false, 0: false, 1: true, engine.MaxDimension: true, engine.MaxDimension + 1: false} {
		if err := c.CheckDimension(dim); (err == nil) != good {
			t.Errorf("%d dimensions: got error %v, want success: %t", dim, err, good)
		}
	}
	c.Options.Dimension = 3
	var mismatch *engine.MismatchError
	if err := c.CheckDimension(4); !errors.As(err, &mismatch) || mismatch.Stored != "4" || mismatch.Given != "3" {
		t.Errorf("got error %v, want an *engine.MismatchError of 4 and 3", err)
	}
}

func TestRefused(t *testing.T) {
	p := &query.Predicate{Field: "f", Value: "1"}
	good := &query.Not{X: &query.And{Parts: []query.Node{p, &query.Or{Parts: []query.Node{p}}}}}
	if CheckFilter(good) != nil || CheckFilter(nil) != nil {
		t.Error("a filter is refused")
	}
	for name, err := range map[string]error{
		"nothing":     CheckFilter(&query.Not{}),
		"an atom":     CheckFilter(&query.Or{Parts: []query.Node{p, &query.Atom{Text: "a"}}}),
		"an odd sign": CheckFilter(&query.Predicate{Op: 99}),
		"dimension":   Defaults(&engine.Options{Dimension: 11}, 10),
		"encoder":     Defaults(&engine.Options{Encoder: "\xff"}, 10),
		"time-out":    Defaults(&engine.Options{WriteTimeout: -1}, 10),
	} {
		var input *engine.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSimilarity(t *testing.T) {
	if got := Similarity([][]float32{{1, 0}, {0, 1}, {0.6, 0.8}}, []float32{1, 0}); got != 0.8 {
		t.Errorf("got a similarity of %g, want 0.8", got)
	}
}

// TestDocument checks the parts of a record by their roles.
func TestDocument(t *testing.T) {
	fields := map[string]json.RawMessage{
		"head": []byte(`"A <b>"`), "body": []byte(`["one", 2]`), "key": []byte(`7`), "year": []byte(`1.50`), "more": []byte(`{"year": 1, "in": {"a": "b"}}`),
	}
	r := Roles{ID: "key", Title: "head", Text: "body", Metadata: "more"}
	d, err := r.Document("7", fields, Want{Parts: engine.AllParts})
	if want := `{"in":{"a": "b"},"year":1.50}`; err != nil || d.ID != "7" || d.Title != "A <b>" || d.Text != "one\n2" || strings.ReplaceAll(string(d.Metadata), " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got %+v with metadata %s, %v, want %s", d, d.Metadata, err, want)
	}
	d, err = r.Document("7", fields, Want{Parts: engine.Texts})
	if err != nil || d.Title != "" || d.Metadata != nil {
		t.Errorf("got %+v, %v, want only the text", d, err)
	}
	d, err = r.Document("7", fields, Want{Filter: &query.Predicate{Field: "year", Value: "1"}})
	if err != nil || d.Metadata == nil {
		t.Errorf("got %+v, %v, want the metadata that a filter needs", d, err)
	}
}
