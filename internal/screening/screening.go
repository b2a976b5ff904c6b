package screening

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Screening is an open screening. It is safe for concurrent use.
type Screening struct {
	Settings
	Searcher *retrieve.Searcher
	store    engine.Collection

	mu sync.Mutex
	*Records
	model   *Model
	order   []int // records, best first; nil after a decision
	random  []int // records in random order
	log     []Decision
	current []Decision       // valid decisions in the order of reading
	decided map[int]int      // record to index in current
	lent    map[string]lease // records that somebody is looking at
	now     func() time.Time
}

// lease is a record that a person is looking at.
type lease struct {
	person string
	until  time.Time
}

// leaseTime is how long a record is shown to one person only.
const leaseTime = 10 * time.Minute

// Open opens a screening: it reads the records of the collection, folds duplicates, scores
// the formula and applies all decisions.
func Open(ctx context.Context, searcher *retrieve.Searcher, store engine.Collection, name string) (*Screening, error) {
	s := &Screening{lent: map[string]lease{}, now: time.Now}
	return s, s.Load(ctx, searcher, store, name)
}

// Load reads everything again, from a store that may have been reopened. People keep the
// records that they are looking at.
func (s *Screening) Load(ctx context.Context, searcher *retrieve.Searcher, store engine.Collection, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := List(ctx, store)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(s Settings) bool { return s.Name == name })
	if at < 0 {
		return fmt.Errorf("%w: %q", ErrNotFound, name)
	}
	records, err := ReadRecords(ctx, searcher, store, all[at].Formula, true)
	if err != nil {
		return err
	}
	log, err := decisions(ctx, store, name)
	if err != nil {
		return err
	}
	s.Settings, s.Searcher, s.store, s.Records, s.log = all[at], searcher, store, records, log
	s.current, s.decided, s.model = nil, map[int]int{}, records.Model()
	s.random = rand.New(rand.NewPCG(s.Seed, 1)).Perm(len(s.ids))
	for _, d := range s.log {
		s.apply(d)
	}
	s.order = nil
	return nil
}

// Decide stores a decision and updates the ranking. The label Undone takes back the last
// decision of the person, about the record if one is named.
func (s *Screening) Decide(ctx context.Context, d Decision) (Decision, error) {
	if err := d.check(); err != nil {
		return d, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.folded[d.Record]; first != "" {
		d.Record = first
	}
	if d.Label == Undone {
		at := -1
		for i, c := range s.current {
			if c.Person == d.Person && (d.Record == "" || c.Record == d.Record) {
				at = i
			}
		}
		if at < 0 {
			return d, engine.BadInput("decision", "%s has made no decision that can be undone", d.Person)
		}
		d.Record = s.current[at].Record
	}
	if _, ok := s.at[d.Record]; !ok {
		return d, engine.BadInput("decision", "there is no record %q in the collection, or it was added after the screening was opened", d.Record)
	}
	if d.Time = s.now().UTC(); len(s.log) > 0 && !d.Time.After(s.log[len(s.log)-1].Time) {
		d.Time = s.log[len(s.log)-1].Time.Add(1) // the clock may stand still or go back
	}
	if err := keep(ctx, s.store, s.Name, d); err != nil {
		return d, err
	}
	s.log = append(s.log, d)
	s.apply(d)
	delete(s.lent, d.Record)
	if d.Label == Undone {
		s.lend(d.Record, d.Person) // the person sees it again
	}
	return d, nil
}

// apply updates the state by a decision. A record has one valid decision, the last. If it is
// decided again, it keeps its place in the order of reading.
func (s *Screening) apply(d Decision) {
	if first := s.folded[d.Record]; first != "" { // a document that was stored since then stands for it
		d.Record = first
	}
	record, ok := s.at[d.Record]
	if !ok {
		return // the document was deleted
	}
	s.order = nil
	at, again := s.decided[record]
	switch {
	case d.Label == Undone && again:
		s.current = slices.Delete(s.current, at, at+1)
		delete(s.decided, record)
		for r, i := range s.decided {
			if i > at {
				s.decided[r] = i - 1
			}
		}
	case d.Label == Undone:
	case again:
		d.Sample = s.current[at].Sample
		s.current[at] = d
	default:
		s.decided[record] = len(s.current)
		s.current = append(s.current, d)
	}
	switch d.Label {
	case Include:
		s.model.Decide(record, 1)
	case Exclude:
		s.model.Decide(record, -1)
	default:
		s.model.Decide(record, 0)
	}
}

// rank returns the records, best first. Equal scores are in random order.
func (s *Screening) rank() []int {
	if s.order == nil {
		s.model.Reset()
		s.model.Fit()
		scores := s.model.Scores()
		s.order = slices.Clone(s.random)
		slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	}
	return s.order
}

// Ranking returns the ids of the unread records, best first.
func (s *Screening) Ranking() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.rank() {
		if _, read := s.decided[r]; !read {
			out = append(out, s.ids[r])
		}
	}
	return out
}

// Next returns the id of the best unread record that nobody else is looking at, or of a
// random one for a sample. It is empty if there is none.
func (s *Screening) Next(person string, sample bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.random
	if !sample {
		from = s.rank()
	}
	now := s.now()
	for id, l := range s.lent {
		if l.person == person && now.Before(l.until) && !sample {
			return id
		}
	}
	for _, r := range from {
		if _, read := s.decided[r]; read {
			continue
		}
		if l, lent := s.lent[s.ids[r]]; lent && l.person != person && now.Before(l.until) {
			continue
		}
		s.lend(s.ids[r], person)
		return s.ids[r]
	}
	return ""
}

// lend reserves a record for a person, instead of the one the person looked at before.
func (s *Screening) lend(id, person string) {
	maps.DeleteFunc(s.lent, func(_ string, l lease) bool { return l.person == person || s.now().After(l.until) })
	s.lent[id] = lease{person, s.now().Add(leaseTime)}
}

// Progress is the state of a screening.
type Progress struct {
	Records       int            `json:"records" doc:"documents in the collection"`
	DuplicateDOI  int            `json:"duplicates_doi" doc:"folded because of their DOI"`
	DuplicateText int            `json:"duplicates_text" doc:"folded because of their text"`
	Included      int            `json:"included"`
	Excluded      int            `json:"excluded"`
	Unsure        int            `json:"unsure"`
	Unread        int            `json:"unread"`
	Reasons       map[string]int `json:"reasons,omitempty" doc:"excluded records by reason"`
	People        map[string]int `json:"people,omitempty" doc:"valid decisions by person"`
	Stop          Stop           `json:"stop"`
	Statement     string         `json:"statement" doc:"the stopping rule, in words"`
	Elusion       *Elusion       `json:"elusion,omitempty" doc:"estimated from a random sample"`
}

// Progress counts decisions and applies the stopping rule.
func (s *Screening) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Progress{Records: len(s.ids) + len(s.folded), DuplicateDOI: s.byDOI, DuplicateText: s.byText, Reasons: map[string]int{}, People: map[string]int{}}
	var read []bool
	sampled, hits := 0, 0
	for _, d := range s.current {
		read = append(read, d.Label == Include)
		p.People[d.Person]++
		switch d.Label {
		case Include:
			p.Included++
		case Exclude:
			p.Excluded++
			p.Reasons[d.Reason]++
		default:
			p.Unsure++
		}
		if d.Sample {
			sampled++
			if d.Label == Include {
				hits++
			}
		}
	}
	p.Unread = len(s.ids) - len(read)
	p.Stop = stopAfter(len(s.ids), read)
	p.Statement = p.Stop.String()
	if sampled > 0 {
		e := elude(sampled, hits)
		p.Elusion = &e
	}
	return p
}

// Decisions returns the valid decisions in the order of reading, or all that were made.
func (s *Screening) Decisions(all bool) []Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		return slices.Clone(s.log)
	}
	return slices.Clone(s.current)
}
