//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/retrieve"
)

// pressure is searches and writes at the same time, with a record of every second.
type pressure struct {
	store     engine.Collection
	searcher  *retrieve.Searcher
	questions []*retrieve.Question
	pool      int
	vector    []float32 // of what is written

	mu           sync.Mutex
	start        time.Time
	seconds      []second
	failures     map[string]int // searches and writes, by what was said
	acknowledged []engine.Document
	asked        atomic.Int64
}

// second is what happened in one.
type second struct {
	answered, failed, degraded int
	written, unwritten         int
	ms                         []float64 // of searches that were answered
	longest                    float64   // ms of a write, stored or not
	events                     []string
}

func newPressure(store engine.Collection, c *corpus, pool int) *pressure {
	return &pressure{
		store: store, searcher: &retrieve.Searcher{Store: store, Encoder: c.Encoder}, questions: c.Questions,
		pool: pool, vector: c.Docs[0].Vector, failures: map[string]int{},
	}
}

// run goes on for so many seconds. Each event happens at its second; searches and
// writes go on meanwhile, and those that have begun are seen to their end.
func (p *pressure) run(ctx context.Context, workers, seconds int, events map[int]func()) {
	p.start, p.seconds = time.Now(), make([]second, seconds+1)
	going, stop := context.WithDeadline(ctx, p.start.Add(time.Duration(seconds)*time.Second))
	defer stop()
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for going.Err() == nil {
				p.search(ctx)
			}
		})
	}
	all.Go(func() {
		for i := 0; going.Err() == nil; i++ {
			p.write(ctx, i)
		}
	})
	for _, at := range slices.Sorted(maps.Keys(events)) {
		select {
		case <-time.After(time.Until(p.start.Add(time.Duration(at) * time.Second))):
			events[at]()
		case <-going.Done():
		}
	}
	all.Wait()
}

// now is the record of this second; what ends later is in the last. The lock is held.
func (p *pressure) now() *second {
	return &p.seconds[min(int(time.Since(p.start).Seconds()), len(p.seconds)-1)]
}

// event notes what happened.
func (p *pressure) event(text string, err error) {
	if err != nil {
		text += ": " + err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.now()
	s.events = append(s.events, text)
}

// search is one search, and a read of the best document by its id, which, unlike a
// search, waits for as many replicas as the consistency says.
func (p *pressure) search(ctx context.Context) {
	f := p.questions[int(p.asked.Add(1))%len(p.questions)]
	start := time.Now()
	r, err := p.searcher.Search(ctx, f, retrieve.Options{K: results, Research: retrieve.Research{Mode: retrieve.Hybrid, Candidates: p.pool}})
	if err == nil && len(r.Hits) > 0 {
		_, err = p.store.Get(ctx, r.Hits[0].ID, engine.AllParts)
	}
	took := inMS(time.Since(start))
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.now()
	if err != nil {
		s.failed++
		p.failures[shorten(err)]++
		return
	}
	s.answered++
	s.ms = append(s.ms, took)
	if len(r.Degraded) > 0 {
		s.degraded++
	}
}

// write stores a document.
func (p *pressure) write(ctx context.Context, i int) {
	const pause = 20 * time.Millisecond // most of the load is searches
	time.Sleep(pause)
	d := engine.Document{ID: fmt.Sprintf("written %06d", i), Text: fmt.Sprintf("Written while a node was away or not, number %d.", i), Vector: p.vector}
	start := time.Now()
	err := p.store.Upsert(ctx, []engine.Document{d})
	took := inMS(time.Since(start))
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.now()
	s.longest = max(s.longest, took)
	if err != nil {
		s.unwritten++
		p.failures[shorten(err)]++
		return
	}
	s.written++
	p.acknowledged = append(p.acknowledged, d)
}

var digits = regexp.MustCompile(`[0-9]+`)

// shorten makes errors of one kind equal.
func shorten(err error) string {
	text := digits.ReplaceAllString(err.Error(), "#")
	return strings.ToValidUTF8(text[:min(len(text), 300)], "")
}

// print writes a line for each second, one for all before a node was killed, while it
// was away and after that, and what failed.
func (p *pressure) print(w io.Writer, kill, back int) {
	head(w, "second", "answered", "failed", "degraded", "p50, ms", "p99, ms", "written", "not written", "longest write, ms", "")
	for i, s := range p.seconds {
		s.line(w, fmt.Sprint(i))
	}
	sum(p.seconds[:kill]).line(w, "before")
	sum(p.seconds[kill:back]).line(w, "away")
	sum(p.seconds[back:]).line(w, "back")
	for _, text := range slices.Sorted(maps.Keys(p.failures)) {
		fmt.Fprintf(w, "\n%d × `%s`\n", p.failures[text], text)
	}
}

// sum is what happened in several.
func sum(seconds []second) *second {
	s := &second{}
	for _, o := range seconds {
		s.answered, s.failed, s.degraded = s.answered+o.answered, s.failed+o.failed, s.degraded+o.degraded
		s.written, s.unwritten = s.written+o.written, s.unwritten+o.unwritten
		s.ms, s.longest = append(s.ms, o.ms...), max(s.longest, o.longest)
	}
	return s
}

func (s *second) line(w io.Writer, name string) {
	l := spreadOf(slices.Clone(s.ms))
	fmt.Fprintf(w, "| %s | %d | %d | %d | %.0f | %.0f | %d | %d | %.0f | %s |\n", name, s.answered, s.failed, s.degraded, l.P50, l.P99, s.written, s.unwritten, s.longest, strings.Join(s.events, "; "))
}
