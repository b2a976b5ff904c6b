package screening

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Screening is an open screening. It is safe for concurrent use.
type Screening struct {
	Settings
	Searcher *retrieve.Searcher
	store    engine.Collection

	mu      sync.Mutex
	records []string // ids, without duplicates
	at      map[string]int
	folded  map[string]string // id of a duplicate to the id of the record that represents it
	byDOI   int               // duplicates folded by DOI, and by text
	byText  int
	model   *Model
	order   []int // records, best first; nil after a decision
	random  []int // records in random order
	log     []Decision
	current []Decision    // valid decisions in the order of reading
	decided map[int]int   // record to index in current
	lent    map[int]lease // records that somebody is looking at
	now     func() time.Time
}

// lease is a record that a person is looking at.
type lease struct {
	person string
	until  time.Time
}

// leaseTime is how long a record is shown to one person only.
const leaseTime = 10 * time.Minute

// MaxRecords is the number of records that a screening can have, which are in memory.
const MaxRecords = 200_000

// Open opens a screening: it reads the records of the collection, folds duplicates, scores
// the formula and applies all decisions.
func Open(ctx context.Context, searcher *retrieve.Searcher, store engine.Collection, name string) (*Screening, error) {
	all, err := List(ctx, store)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(s Settings) bool { return s.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, name)
	}
	s := &Screening{Settings: all[at], Searcher: searcher, store: store, at: map[string]int{}, folded: map[string]string{}, decided: map[int]int{}, lent: map[int]lease{}, now: time.Now}
	size, err := store.Size(ctx)
	if err != nil {
		return nil, err
	}
	if size.Documents > MaxRecords {
		return nil, engine.BadInput("screening", "the collection has %d documents, at most %d can be screened; search for the relevant ones and index those", size.Documents, MaxRecords)
	}
	var texts []string
	var vectors [][]float32
	f := newFolder()
	for d, err := range engine.All(ctx, store, engine.Page{Limit: 500, Parts: engine.Titles | engine.Texts | engine.Metadata | engine.Vectors}) {
		if err != nil {
			return nil, err
		}
		if _, again := s.at[d.ID]; again {
			continue
		}
		if first, how := f.fold(&d); first != "" {
			s.folded[d.ID] = first
			if how == "doi" {
				s.byDOI++
			} else {
				s.byText++
			}
			continue
		}
		s.at[d.ID] = len(s.records)
		s.records = append(s.records, d.ID)
		texts, vectors = append(texts, d.Title+"\n"+d.Text), append(vectors, d.Vector)
	}
	scores, err := s.formulaScores(ctx)
	if err != nil {
		return nil, err
	}
	s.model = NewModel(NewTerms(texts), vectors, scores)
	s.random = rand.New(rand.NewPCG(s.Seed, 1)).Perm(len(s.records))
	if s.log, err = decisions(ctx, store, name); err != nil {
		return nil, err
	}
	for _, d := range s.log {
		s.apply(d)
	}
	return s, nil
}

// formulaScores returns the scores of the records for the formula and its parts, column by
// column, or nil without a formula. A record that the formula's filter rejects has the lowest
// scores.
func (s *Screening) formulaScores(ctx context.Context) ([][]float32, error) {
	if s.Formula == "" {
		return nil, nil
	}
	o := retrieve.Options{Research: retrieve.Research{Mode: retrieve.Exact}}
	q, err := retrieve.Read(ctx, s.Formula, o)
	if err != nil {
		return nil, err
	}
	p, err := s.Searcher.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	c, err := s.Searcher.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := c.Rank(len(c.Refs))
	if err != nil {
		return nil, err
	}
	score := make([]float32, len(c.Refs))
	for i, line := range r.Lines {
		score[line] = r.Scores[i]
	}
	columns := [][]float32{score}
	for t, column := range c.Terms {
		if c.Reads(t) {
			columns = append(columns, column)
		}
	}
	columns = append(columns, c.Shares...)
	ids := make([]string, len(c.Refs))
	if err := engine.Visit(ctx, s.store, c.Refs, engine.NoParts, func(i int, d *engine.Document) { ids[i] = d.ID }); err != nil {
		return nil, err
	}
	out := make([][]float32, len(columns))
	for k, column := range columns {
		least := float32(0)
		if len(column) > 0 {
			least = slices.Min(column)
		}
		out[k] = slices.Repeat([]float32{least}, len(s.records))
		for line, id := range ids {
			if at, ok := s.at[id]; ok {
				out[k][at] = column[line]
			}
		}
	}
	return out, nil
}

// Decide stores a decision and updates the ranking. The label Undone takes back the last
// decision of the person, about the record if one is named.
func (s *Screening) Decide(ctx context.Context, d Decision) (Decision, error) {
	if err := d.check(); err != nil {
		return d, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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
	if first := s.folded[d.Record]; first != "" {
		d.Record = first
	}
	record, ok := s.at[d.Record]
	if !ok {
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
	delete(s.lent, record)
	if d.Label == Undone {
		s.lent[record] = lease{d.Person, s.now().Add(leaseTime)}
	}
	return d, nil
}

// apply updates the state by a decision. A record has one valid decision, the last. If it is
// decided again, it keeps its place in the order of reading.
func (s *Screening) apply(d Decision) {
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
			out = append(out, s.records[r])
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
	var held string
	for r, l := range s.lent {
		if l.person == person && now.Before(l.until) {
			held = s.records[r]
		}
	}
	if held != "" && !sample {
		return held
	}
	for _, r := range from {
		if _, read := s.decided[r]; read {
			continue
		}
		if l, lent := s.lent[r]; lent && l.person != person && now.Before(l.until) {
			continue
		}
		s.lent[r] = lease{person, now.Add(leaseTime)}
		return s.records[r]
	}
	return ""
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
	p := Progress{Records: len(s.records) + len(s.folded), DuplicateDOI: s.byDOI, DuplicateText: s.byText, Reasons: map[string]int{}, People: map[string]int{}}
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
	p.Unread = len(s.records) - len(read)
	p.Stop = StopAfter(len(s.records), read)
	p.Statement = p.Stop.String()
	if sampled > 0 {
		e := Elude(sampled, hits)
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

// Reasons returns the terms of a text that speak most for its inclusion, by the model, and
// whether the model counts yet.
func (s *Screening) Reasons(text string, most int) (terms []string, fitted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rank()
	return s.model.reasons(text, most)
}

// folder finds duplicates.
type folder struct {
	doi   map[string]string
	texts map[string][]reading
}

// reading is a record that others may be copies of.
type reading struct {
	id      string
	wording *words.Wording
}

func newFolder() *folder {
	return &folder{doi: map[string]string{}, texts: map[string][]reading{}}
}

// fold returns the id of an earlier record that d is a duplicate of, and whether its doi or
// its text shows it. Texts are compared with those that have the same title or beginning.
func (f *folder) fold(d *engine.Document) (first, how string) {
	var fields struct {
		DOI string `json:"doi"`
	}
	_ = json.Unmarshal(d.Metadata, &fields) // a doi of another type identifies nothing
	doi := bareDOI(fields.DOI)
	if first := f.doi[doi]; doi != "" && first != "" {
		return first, "doi"
	}
	w := words.NewWording(d.Title, d.Text)
	keys := []string{"title " + block(d.Title), "text " + block(d.Text)}
	for _, k := range keys {
		for _, other := range f.texts[k] {
			if w.Copy(other.wording) {
				return other.id, "text"
			}
		}
	}
	if doi != "" {
		f.doi[doi] = d.ID
	}
	for _, k := range keys {
		if !strings.HasSuffix(k, " ") && len(f.texts[k]) < 50 { // a common title identifies nothing
			f.texts[k] = append(f.texts[k], reading{d.ID, w})
		}
	}
	return "", ""
}

// block returns the first words of a text, in lower case.
func block(text string) string {
	const most = 8
	var out []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text[:min(len(text), 400)]), notOfWords) {
		if out = append(out, word); len(out) == most {
			break
		}
	}
	return strings.Join(out, " ")
}

// bareDOI returns a DOI in lower case and without the address of its resolver.
func bareDOI(doi string) string {
	doi = strings.ToLower(strings.TrimSpace(doi))
	if at := strings.Index(doi, "10."); at >= 0 {
		return doi[at:]
	}
	return ""
}
