package enginetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// Remote tells the suite of failures how to reach a server.
type Remote struct {
	// Open opens the collection of a name on a server that listens at some places,
	// HOST:PORT, in the order of Targets and Start. The collection is removed with t.
	Open func(t testing.TB, at []string, name string, o engine.Options) (Store, error)
	// Targets returns the server addresses that most tests use. Batches go to the first.
	Targets func(t testing.TB) []string
	// Start starts a server of a test's own.
	Start func(t testing.TB) (at []string, process *os.Process)
	// Hasten gives the calls of a store that much time from now on.
	Hasten func(s Store, limit time.Duration) (restore func())
	// BatchBytes is less than the size of a batch of forty documents.
	BatchBytes int64
	// Attach stores documents as another program would, and attaches to them. It is used instead
	// of Open for attached stores.
	Attach func(t testing.TB, at []string, docs []engine.Document) (Store, error)
}

// Failures tests the calls of a store when its network or its server fails.
func Failures(t *testing.T, r Remote) {
	written := r.Attach == nil
	for _, test := range []struct {
		name    string
		run     func(*testing.T, Remote)
		applies bool
	}{
		{"cut between calls", testCutBetweenCalls, true},
		{"cut in a batch", testCutInABatch, written},
		{"silence", testSilence, true},
		{"stopped and killed", testStoppedAndKilled, true},
		{"down", testDown, written},
		{"made together", testMadeTogether, written},
	} {
		if test.applies {
			t.Run(test.name, func(t *testing.T) { test.run(t, r) })
		}
	}
}

// Documents are n of the same size, with two passages each.
func Documents(n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := vectorOf(fmt.Sprint("vector ", i))
		docs[i] = engine.Document{
			ID: fmt.Sprint("id-", i), Title: "title", Text: strings.Repeat("text ", 20), Vector: v,
			Metadata: fmt.Appendf(nil, `{"n": %d}`, i),
			Passages: []engine.Passage{{Text: "a", Vector: v}, {Text: "b", Vector: v}},
		}
	}
	return docs
}

// At is the address of a collection on the server at an address.
func At(server, collection string) string {
	if strings.Contains(server, "?") {
		return server + "&collection=" + collection
	}
	return server + "?collection=" + collection
}

func (r Remote) stored(t *testing.T, at []string) (s Store) {
	t.Helper()
	docs := Documents(10)
	var err error
	if r.Attach != nil {
		for i := range docs {
			docs[i].Passages = nil
		}
		s, err = r.Attach(t, at, docs)
	} else if s, err = r.Open(t, at, "failures", engine.Options{Dimension: dim}); err == nil {
		err = s.Upsert(context.Background(), docs)
	}
	check(t, err)
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // its server may be gone
	return s
}

func (r Remote) proxied(t *testing.T) (s Store, proxies []*testserver.Proxy) {
	var at []string
	for _, target := range r.Targets(t) {
		p := testserver.NewProxy(t, target)
		proxies, at = append(proxies, p), append(at, p.Address())
	}
	return r.stored(t, at), proxies
}

func cut(proxies []*testserver.Proxy) {
	for _, p := range proxies {
		p.Cut()
	}
}

func stick(proxies []*testserver.Proxy, stuck bool) {
	for _, p := range proxies {
		p.Stuck.Store(stuck)
	}
}

// remembered reports whether a call may succeed without a server: the size and the sample
// may be cached, and some engines find nothing by words.
func remembered(name string, err error) bool {
	return slices.Contains([]string{"Size", "Sample", "MatchTerms"}, name) && err == nil
}

func testCutBetweenCalls(t *testing.T, r Remote) {
	s, proxies := r.proxied(t)
	for name, call := range Calls(t, s, Documents(3)) {
		cut(proxies)
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wherever a batch is cut, it is tried again, and ends up stored once.
func testCutInABatch(t *testing.T, r Remote) {
	s, proxies := r.proxied(t)
	docs := Documents(40)
	for after := int64(1); after < r.BatchBytes; after = after*3 + 100 {
		must(s.Delete(context.Background(), []string{"id-20", "id-30"}))(t)
		proxies[0].Allowed.Store(after)
		if err := s.Upsert(context.Background(), docs); err != nil {
			t.Errorf("cut after %d bytes: %v", after, err)
		}
		if proxies[0].Allowed.Swap(0) > 0 {
			t.Errorf("a batch took less than %d bytes: nothing was cut", after)
		}
		counts(t, s, docs)
		holds(t, s, docs...)
	}
}

// A server that does not answer ends a call with a time-out.
func testSilence(t *testing.T, r Remote) {
	const limit = 200 * time.Millisecond
	s, proxies := r.proxied(t)
	calls := Calls(t, s, Documents(3))
	for name, call := range calls {
		restore := r.Hasten(s, limit)
		stick(proxies, true)
		err := call(context.Background())
		if !remembered(name, err) && (!errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 200ms") || strings.Contains(err.Error(), "hung up")) {
			t.Errorf("%s: %v", name, err)
		}
		stick(proxies, false)
		cut(proxies)
		restore()
		if err := call(context.Background()); err != nil {
			t.Errorf("%s, afterwards: %v", name, err)
		}
	}
	stick(proxies, true)
	defer cut(proxies)
	for name, call := range calls {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- call(ctx) }()
		cancel()
		if err := <-done; !remembered(name, err) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled while nothing comes: %v", name, err)
		}
	}
}

// A server that is stopped for a while, and then killed.
func testStoppedAndKilled(t *testing.T, r Remote) {
	at, process := r.Start(t)
	s := r.stored(t, at)
	calls := Calls(t, s, Documents(3))
	restore := r.Hasten(s, 200*time.Millisecond)
	thaw := testserver.Freeze(t, process)
	for name, call := range calls {
		if err := call(context.Background()); !remembered(name, err) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s of a stopped server: %v", name, err)
		}
	}
	thaw()
	restore()
	for name, call := range calls {
		if err := call(context.Background()); err != nil {
			t.Errorf("%s after the server went on: %v", name, err)
		}
	}
	testserver.Kill(t, process)
	for name, call := range calls {
		if err := call(context.Background()); !remembered(name, err) && (err == nil || !strings.Contains(err.Error(), "cannot be reached")) {
			t.Errorf("%s of a killed server: %v", name, err)
		}
	}
}

func testDown(t *testing.T, r Remote) {
	var at []string
	for range r.Targets(t) {
		at = append(at, testserver.Unused(t))
	}
	_, err := r.Open(t, at, "down", engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), at[len(at)-1]) {
		t.Errorf("%v", err)
	}
}

// testMadeTogether checks that clients that create a collection at the same time open the same
// one.
func testMadeTogether(t *testing.T, r Remote) {
	at := r.Targets(t)
	docs := Documents(4)
	var all sync.WaitGroup
	for i := range docs {
		all.Go(func() {
			s, err := r.Open(t, at, "together", engine.Options{Dimension: dim, Encoder: fmt.Sprint("encoder ", i%2)})
			var mismatch *engine.MismatchError
			if errors.As(err, &mismatch) {
				s, err = r.Open(t, at, "together", engine.Options{Dimension: dim})
			}
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(s.Upsert(context.Background(), docs[i:i+1]), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := must(r.Open(t, at, "together", engine.Options{Dimension: dim}))(t)
	defer s.Close() //nolint:errcheck // it was only read
	counts(t, s, docs)
}
