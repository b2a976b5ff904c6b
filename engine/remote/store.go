package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// Config describes an open store.
type Config struct {
	Dimension int
	Index     Index
	Limits    Limits
	// AtOnce is how many documents a driver reads at once; 0: any number.
	AtOnce int
	// PagesAll says that pages have all documents, whether or not they meet a condition.
	PagesAll bool
	// Text says that documents have texts, by which they get lexical scores.
	Text bool
	// Roles and Columns describe an attached table; they are empty if there is no catalogue.
	Roles   Roles
	Columns []Column
}

// Index describes the index over vectors.
type Index struct {
	None     bool // there is none
	Other    bool // its order is not the order of cosines
	Passages bool // passages have an index of their own
	ByLength bool // it orders as cosines do only where all vectors have length 1
	Scored   bool // hits have scores
	Rough    bool // it stores vectors in fewer bits: scores are inexact
	Exact    bool // it overlooks nothing
	Most     int  // documents that it finds at most; 0: any number
}

// Limits are the numbers of documents up to which all of them are compared.
type Limits struct {
	Few   int // that pass a filter, or four times as many as are wanted, before the index is asked
	Cheap int // if the order of the index is not the order of cosines
	Whole int // if the index finds too few

	// Copied is the number of documents of a Versioned driver up to which the store keeps a
	// copy of all vectors and words in memory; 0: it copies nothing.
	Copied int
}

// UsualLimits make a search take a second or so.
var UsualLimits = Limits{Few: 500, Cheap: 5000, Whole: 20_000}

// Store is a server as a collection that is only read. It is safe for concurrent use.
type Store struct {
	ReadOnly
	Config
	Calls    *Calls
	driver   Driver
	searcher Searcher // nil: the driver is a Comparer
	comparer Comparer // nil: it is a Searcher

	lengths Lengths
	reach   Reach
	cache   versioned[vectors]
	copies  copies
}

var _ engine.Collection = (*Store)(nil)

// New returns a store that asks a driver.
func New(driver Driver, calls *Calls, c Config) *Store {
	s := &Store{Config: c, Calls: calls, driver: driver}
	s.copies.turn = make(workers.Slots, 1)
	s.searcher, _ = driver.(Searcher)
	s.comparer, _ = driver.(Comparer)
	return s
}

// Attach returns a store that asks a driver, which is closed if that fails. The function describe
// reads what the driver needs to know about the collection.
func Attach(ctx context.Context, driver Driver, calls *Calls, describe func(context.Context) (Config, error)) (s *Store, err error) {
	err = calls.Read(ctx, "attaching to the collection", func(ctx context.Context) error {
		c, err := describe(ctx)
		if err == nil {
			err = calls.CheckDimension(c.Dimension)
		}
		if err != nil {
			return err
		}
		s = New(driver, calls, c)
		return s.Inspect(ctx)
	})
	if err != nil {
		return nil, errors.Join(err, driver.Close())
	}
	return s, nil
}

// Capabilities returns the capabilities of the driver, and lexical search if there are texts.
func (s *Store) Capabilities() (c engine.Capabilities) {
	if s.Text {
		c.Lexical = lexical{s}
	}
	c.Ranker, _ = s.driver.(engine.Ranker)
	c.Counter, _ = s.driver.(engine.Counter)
	if c.SlowScanner = s; s.mayCopy(s.Calls.Size.Last().Documents) {
		c.Scanner, c.Ranker = s, nil
	}
	if len(s.Columns) > 0 {
		c.Catalogued = catalogue{&s.Config}
	}
	return c
}

type catalogue struct{ *Config }

func (c catalogue) Catalogue() (fields []string, parts map[string]string) {
	return c.Roles.Fields(c.Columns)
}

// Inspect reads some vectors: their lengths decide whether an index by inner product or
// distance can be used.
func (s *Store) Inspect(ctx context.Context) error {
	if !s.Index.ByLength || s.Index.None {
		return nil
	}
	const some = 100
	refs, err := s.driver.Sample(ctx, some)
	if err != nil {
		return err
	}
	return s.visit(ctx, refs, Want{Parts: engine.Vectors}, func(*Entry) error { return nil })
}

// partial runs f, which continues without the parts of the store that do not answer, and returns
// their descriptions.
func (s *Store) partial(ctx context.Context, doing string, f func(context.Context) error) (degraded []string, err error) {
	err = s.Calls.Read(ctx, doing, func(ctx context.Context) error {
		ctx, g := withGaps(ctx)
		if err := f(ctx); err != nil {
			return err
		}
		missing, err := s.missing(ctx)
		Degraded(ctx, missing)
		degraded = g.texts
		return err
	})
	return degraded, err
}

func (s *Store) missing(ctx context.Context) (string, error) {
	if h, ok := s.driver.(Health); ok {
		return h.Missing(ctx)
	}
	return "", nil
}

// intact returns an error if a part of the store does not answer.
func (s *Store) intact(ctx context.Context) error {
	missing, err := s.missing(ctx)
	if err == nil && missing != "" {
		err = errors.New(missing)
	}
	return err
}

// Size returns the number of documents, which may be some seconds old.
func (s *Store) Size(ctx context.Context) (size engine.Size, err error) {
	_, err = s.partial(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.size(ctx)
		return err
	})
	return size, err
}

func (s *Store) size(ctx context.Context) (engine.Size, error) {
	return s.Calls.Size.Get(ctx, s.driver.Size)
}

func (s *Store) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	_, err = s.partial(ctx, "sampling documents", func(ctx context.Context) (err error) {
		if refs = nil; n > 0 {
			refs, err = s.sample(ctx, n)
		}
		return err
	})
	return refs, err
}

// sample returns documents at even intervals of a copy of all, or asks the driver.
func (s *Store) sample(ctx context.Context, n int) ([]engine.Ref, error) {
	all, err := s.subset(ctx, nil, Where{})
	if err != nil {
		return nil, err
	}
	if all == nil {
		refs, err := s.driver.Sample(ctx, n)
		s.copies.mu.Lock()
		s.copies.sampled, s.copies.sample = refs, nil
		s.copies.mu.Unlock()
		return slices.Clone(refs), err
	}
	n = min(n, len(all.refs))
	refs := make([]engine.Ref, n)
	for i := range refs {
		refs[i] = all.refs[i*len(all.refs)/n]
	}
	return refs, nil
}

func (s *Store) compile(ctx context.Context, filter query.Node) (Where, error) {
	if filter == nil {
		return Where{}, nil
	}
	return s.driver.Compile(ctx, filter)
}

// Resolved replaces the patterns of a filter by the sets of documents that match them, for a
// Comparer, whose server decides filters: it lists candidates, and their texts are searched here,
// so that words mean the same in all stores.
func (s *Store) Resolved(ctx context.Context, filter query.Node) (query.Node, error) {
	if len(s.Columns) > 0 && s.Roles.Text == "" && s.Roles.Title == "" {
		for leaf := range query.Leaves(filter) {
			if p, ok := leaf.(*query.Predicate); ok && query.IsTextField(p.Field) {
				return nil, engine.BadInput("filter", "%s looks for words, and the store has no column of texts: name one in the address, or leave the condition out", p)
			}
		}
	}
	if s.comparer == nil || !query.HasPatterns(filter) {
		return filter, nil
	}
	each := func(parts []query.Node) (out []query.Node, err error) {
		for _, part := range parts {
			n, err := s.Resolved(ctx, part)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		return out, nil
	}
	switch n := filter.(type) {
	case *query.Not:
		x, err := s.Resolved(ctx, n.X)
		return &query.Not{X: x}, err
	case *query.And:
		parts, err := each(n.Parts)
		return &query.And{Parts: parts}, err
	case *query.Or:
		parts, err := each(n.Parts)
		return &query.Or{Parts: parts}, err
	}
	judge, err := NewJudge(filter)
	if err != nil {
		return nil, err
	}
	var ids []string
	page := engine.Page{Filter: filter, Limit: longestPage, Parts: engine.Titles | engine.Texts | engine.Metadata}
	for {
		docs, mark, err := s.comparer.List(ctx, page)
		if err != nil || len(docs) == 0 {
			return &query.Predicate{Op: query.Match, Value: strings.Join(ids, "\x00")}, err
		}
		for i := range docs {
			passes, err := judge.Passes(&docs[i])
			if err != nil {
				return nil, err
			}
			if passes {
				ids = append(ids, docs[i].ID)
			}
		}
		page.After = mark
	}
}

// Members returns the ids of a set of documents by which Resolved has replaced a pattern.
func Members(p *query.Predicate) (ids []string, ok bool) {
	if p.Value != "" {
		ids = strings.Split(p.Value, "\x00")
	}
	return ids, p.Op == query.Match && p.Field == ""
}

// judged returns the filter if it has to be checked here.
func (w Where) judged(filter query.Node) query.Node {
	if w.Inexact {
		return filter
	}
	return nil
}

// normalize scales the vector of a document to length 1. A vector without a direction becomes nil.
func (s *Store) normalize(d *engine.Document) {
	if d.Vector != nil {
		d.Vector = s.lengths.Unit(d.Vector)
	}
}

// visit reads documents, with their vectors at length 1.
func (s *Store) visit(ctx context.Context, refs []engine.Ref, want Want, visit func(*Entry) error) error {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r engine.Ref) bool { return r == engine.Ref{} })
	slices.SortFunc(refs, engine.Ref.Compare)
	if refs = slices.Compact(refs); len(refs) == 0 {
		return ctx.Err()
	}
	size := cmp.Or(s.AtOnce, len(refs))
	if s.AtOnce > 0 && want.Parts.Has(engine.Vectors|engine.PassageVectors) {
		const bytes, digits = 8 << 20, 12
		size = max(1, min(size, bytes/(digits*s.Dimension)))
	}
	var turn sync.Mutex
	return inPieces(ctx, refs, size, func(ctx context.Context, refs []engine.Ref) error {
		return s.driver.Read(ctx, refs, want, func(e *Entry) error {
			s.normalize(&e.Document)
			turn.Lock()
			defer turn.Unlock()
			return visit(e)
		})
	})
}

// inPieces calls read with pieces of refs, some at the same time, and with the halves of a
// piece if the answer is too long.
func inPieces(ctx context.Context, refs []engine.Ref, size int, read func(context.Context, []engine.Ref) error) error {
	var halves func(ctx context.Context, refs []engine.Ref) error
	halves = func(ctx context.Context, refs []engine.Ref) error {
		err := read(ctx, refs)
		if half := len(refs) / 2; errors.Is(err, ErrLarge) && half > 0 {
			if err := halves(ctx, refs[:half]); err != nil {
				return err
			}
			return halves(ctx, refs[half:])
		}
		return err
	}
	pieces := slices.Collect(slices.Chunk(refs, max(1, size)))
	return workers.Each(ctx, len(pieces), Parallelism, func(ctx context.Context, i int) error { return halves(ctx, pieces[i]) })
}

// documents reads a portion of documents. Those that are not there are empty. If versions is
// not nil, it gets the versions of the documents.
func (s *Store) documents(ctx context.Context, portion *storekit.ReadBudget, refs []engine.Ref, parts engine.Parts, versions map[engine.Ref]string) ([]engine.Document, error) {
	return ReadWithin(portion, refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
		found := make(map[engine.Ref]engine.Document, len(refs))
		err := s.visit(ctx, refs, Want{Parts: parts}, func(e *Entry) error {
			found[e.Ref] = e.Document
			if versions != nil {
				versions[e.Ref] = e.Version
			}
			return nil
		})
		docs := make([]engine.Document, len(refs))
		for i, r := range refs {
			docs[i] = found[r]
		}
		return docs, err
	})
}

// Documents reads a portion of documents. It fails if a document is missing while a part of
// the store is down.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = s.Calls.Read(ctx, "reading documents", func(ctx context.Context) (err error) {
		if parts&^engine.Vectors == 0 {
			copies, err := s.holding(ctx, refs)
			if err != nil {
				return err
			}
			if copies != nil {
				docs = copies.documents(refs, s.Dimension)
				return nil
			}
		}
		docs, err = s.documents(ctx, new(storekit.ReadBudget), refs, parts, nil)
		if err == nil && slices.ContainsFunc(docs, func(d engine.Document) bool { return d.ID == "" }) {
			err = s.intact(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

func (s *Store) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	d, _, err := s.find(ctx, "reading", id, parts)
	return d, err
}

func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	_, ref, err := s.find(ctx, "finding", id, engine.NoParts)
	return ref, err
}

func (s *Store) find(ctx context.Context, doing, id string, parts engine.Parts) (d engine.Document, ref engine.Ref, err error) {
	err = s.Calls.Read(ctx, fmt.Sprintf("%s document %.80q", doing, id), func(ctx context.Context) error {
		if id == "" {
			return engine.ErrNotFound
		}
		d, ref = engine.Document{}, engine.Ref{}
		err := s.get(ctx, id, Want{Parts: parts}, func(e *Entry) error {
			if e.ID == id {
				s.normalize(&e.Document)
				d, ref = e.Document, e.Ref
			}
			return nil
		})
		if err == nil && d.ID == "" {
			if err = s.intact(ctx); err == nil {
				err = engine.ErrNotFound
			}
		}
		return err
	})
	return d, ref, err
}

func (s *Store) get(ctx context.Context, id string, want Want, visit func(*Entry) error) error {
	if f, ok := s.driver.(Finder); ok {
		return f.Get(ctx, id, want, visit)
	}
	return s.driver.Read(ctx, []engine.Ref{{Key: id}}, want, visit)
}

const longestPage = 1000

func (s *Store) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	err = CheckFilter(page.Filter)
	if page.Limit < 1 {
		err = engine.BadInput("page", "%d documents long", page.Limit)
	}
	if err != nil {
		return nil, page.After, s.Calls.Explain(doing, err)
	}
	page.Limit = min(page.Limit, longestPage)
	err = s.Calls.Read(ctx, doing, func(ctx context.Context) (err error) {
		page := page
		if page.Filter, err = s.Resolved(ctx, page.Filter); err != nil {
			return err
		}
		if s.comparer != nil {
			docs, mark, err = s.comparer.List(ctx, page)
			for i := range docs {
				s.normalize(&docs[i])
			}
			return err
		}
		if docs, mark, err = s.list(ctx, &page); err != nil {
			return err
		}
		return s.intact(ctx)
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

// list reads documents that pass until it has some that were not deleted meanwhile.
func (s *Store) list(ctx context.Context, page *engine.Page) (docs []engine.Document, mark string, err error) {
	where, err := s.compile(ctx, page.Filter)
	if err != nil || where.Nothing {
		return nil, page.After, err
	}
	where.Inexact = where.Inexact || s.PagesAll
	want := Want{Filter: where.judged(page.Filter)}
	judge, err := NewJudge(want.Filter)
	if err != nil {
		return nil, page.After, err
	}
	for mark = page.After; len(docs) == 0; {
		var refs []engine.Ref
		var marks []func() string
		err := s.searcher.Page(ctx, mark, page.Limit, where, want, func(e *Entry) (bool, error) {
			passes, err := judge.Passes(&e.Document)
			if passes {
				refs, marks = append(refs, e.Ref), append(marks, e.Mark)
			}
			return len(refs) < page.Limit, err
		})
		if err != nil || len(refs) == 0 {
			return nil, mark, err
		}
		found, err := s.documents(ctx, storekit.BudgetOf(page), refs, page.Parts, nil)
		if err != nil {
			return nil, mark, err
		}
		mark = marks[len(found)-1]()
		docs = slices.DeleteFunc(found, func(d engine.Document) bool { return d.ID == "" })
	}
	return docs, mark, nil
}

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error { return s.Calls.Close(s.driver.Close) }
