package retrieve

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

// Copy is a document that says what a hit says; words.Wording tells when it does.
type Copy struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// How much is looked at to fold copies.
const (
	copyDepth  = 200  // copies, beyond as many documents as are wanted
	copyReads  = 50   // documents that may be copies, after the last that is shown
	maxCopies  = 20   // that are named with a hit
	copyCosine = 0.85 // of the vectors of two whole documents, at least
	copyApart  = 0.1  // of their similarities to each term, and of their shares, at most
)

// depth is how far down a ranking is looked at.
func (o *Options) depth() int {
	n := o.total() + copyDepth
	if o.AllCopies {
		n = o.total() + 1 // which tells whether there are more
	}
	if len(o.Facets) > 0 {
		n = max(n, foundIn)
	}
	return n
}

// group is a document that is shown, and its copies, as places of a list.
type group struct {
	first  int
	copies []int
}

// shelf has what is needed of the documents of a result, each read once.
type shelf struct {
	store    engine.Store
	snippets *snippets
	leaves   map[engine.Ref]*leaf
	fields   []string // of metadata that are kept; nil: all
}

func newShelf(s engine.Store, p *Prepared) *shelf {
	return &shelf{s, newSnippets(p), map[engine.Ref]*leaf{}, p.Options.Fields}
}

// read has parts of documents at hand.
func (s *shelf) read(ctx context.Context, refs []engine.Ref, parts engine.Parts) error {
	wanted := slices.DeleteFunc(slices.Clone(refs), func(r engine.Ref) bool {
		l := s.leaves[r]
		return l != nil && l.parts&parts == parts
	})
	return engine.Visit(ctx, s.store, wanted, parts, func(i int, d *engine.Document) { s.leaves[wanted[i]] = s.leaf(d, parts) })
}

// list is an order of documents, the best first.
type list struct {
	refs []engine.Ref
	// columns are the similarities that the documents were found by, and their shares.
	columns [][]float32
	ranks   map[engine.Ref]int // in another list, which has found out what is a copy
	all     bool               // copies are shown like all others
}

// list are the documents of a ranking.
func (c *Candidates) list(r *Ranking) *list {
	l := &list{all: c.Options.AllCopies}
	for _, line := range r.Lines {
		l.refs = append(l.refs, c.Refs[line])
	}
	for _, column := range slices.Concat(c.all(), [][]float32{c.near}) {
		if column == nil { // the mode goes by no vector of its own
			continue
		}
		values := make([]float32, len(r.Lines))
		for i, line := range r.Lines {
			values[i] = column[line]
		}
		l.columns = append(l.columns, values)
	}
	return l
}

// atOnce is how many documents are read before it is known whether more of them fit.
const atOnce = 64

// shown are the documents of a list that a result shows.
type shown struct {
	all    []group // with those of the pages before
	groups []group // of the page
	fits   bool    // there was room for all of them
	deep   bool    // so many are copies that others were not looked for
	more   bool    // there are others after them
}

// fold chooses the documents of a list that are shown: after as many as are left out, k at
// most and as long as they fit; the first always fits. What is shown of them is at hand then.
// What was deleted meanwhile is left out. It reads on while copies take the places of others,
// so many of them that it does not depend on k, and then only what may be a copy of something
// shown.
func (s *shelf) fold(ctx context.Context, l *list, o *Options, fits func(*leaf) bool) (*shown, error) {
	out := &shown{fits: true}
	at, gone := 0, 0
	for more := 1; at < len(l.refs) && len(out.all) < o.total() && out.fits && !out.deep; more = min(2*more, atOnce) {
		parts, wanted := engine.AllParts, o.total()-len(out.all)
		if left := o.Offset - len(out.all); left > 0 {
			if parts, wanted = engine.Titles|engine.Texts|engine.Vectors, left; l.all {
				parts = engine.NoParts
			}
		}
		end := min(len(l.refs), at+min(atOnce, more*wanted))
		if parts != engine.AllParts {
			end = min(end, at+wanted) // what comes after those may be shown
		}
		if err := s.read(ctx, l.refs[at:end], parts); err != nil {
			return nil, err
		}
		for ; at < end && out.fits; at++ {
			if out.deep = len(out.all) < o.total() && at-len(out.all) == copyDepth; out.deep {
				break
			}
			if s.gone(l.refs[at]) {
				gone++
				continue
			}
			if s.join(l, out.all, at) || len(out.all) == o.total() {
				continue
			}
			left := len(out.all) < o.Offset
			if out.fits = left || fits(s.leaves[l.refs[at]]) || len(out.all) == o.Offset; out.fits {
				out.all = append(out.all, group{first: at})
			}
		}
	}
	err := s.follow(ctx, l, out.all, at)
	out.groups = out.all[min(o.Offset, len(out.all)):]
	told := gone + len(out.all)
	for _, g := range out.all {
		told += len(g.copies)
	}
	out.more = told < len(l.refs) && !out.deep
	return out, err
}

// follow looks for copies further down, from a place on. Texts are read only of what has a
// vector near to that of something shown.
func (s *shelf) follow(ctx context.Context, l *list, shown []group, at int) error {
	var places []int
	for ; at < len(l.refs) && len(places) < copyReads; at++ {
		if slices.ContainsFunc(shown, func(g group) bool { return l.near(g.first, at) }) {
			places = append(places, at)
		}
	}
	if err := s.read(ctx, l.at(places), engine.Vectors); err != nil {
		return err
	}
	places = slices.DeleteFunc(places, func(at int) bool {
		return !slices.ContainsFunc(shown, func(g group) bool { return l.near(g.first, at) && s.close(l.refs[g.first], l.refs[at]) })
	})
	if err := s.read(ctx, l.at(places), engine.Titles|engine.Texts|engine.Vectors); err != nil {
		return err
	}
	for _, at := range places {
		s.join(l, shown, at)
	}
	return nil
}

// at are the documents at some places.
func (l *list) at(places []int) (refs []engine.Ref) {
	for _, at := range places {
		refs = append(refs, l.refs[at])
	}
	return refs
}

// join adds a document to the group that it is a copy of, and reports whether there is one.
func (s *shelf) join(l *list, shown []group, at int) bool {
	for i := range shown {
		g := &shown[i]
		first, other := l.refs[g.first], l.refs[at]
		if l.near(g.first, at) && s.close(first, other) && s.leaves[first].wording.Copy(s.leaves[other].wording) {
			g.copies = append(g.copies, at)
			return true
		}
	}
	return false
}

// near reports whether two documents are near enough, by all that was asked, to be copies.
// Texts that differ in little else than a word of the question are none.
func (l *list) near(a, b int) bool {
	if x, y := l.ranks[l.refs[a]], l.ranks[l.refs[b]]; l.all || x > 0 && y > 0 && x != y {
		return false
	}
	for _, column := range l.columns {
		if d := column[a] - column[b]; d > copyApart || d < -copyApart {
			return false
		}
	}
	return true
}

// gone reports whether a document was deleted meanwhile.
func (s *shelf) gone(r engine.Ref) bool { return s.leaves[r].id == "" }

// close reports whether the vectors of two documents are near enough to be copies.
func (s *shelf) close(a, b engine.Ref) bool {
	return !s.gone(a) && !s.gone(b) && vec.Dot64(s.leaves[a].vector, s.leaves[b].vector) >= copyCosine
}

// copies names the copies of a group.
func (s *shelf) copies(l *list, g group) (out []Copy) {
	for _, at := range g.copies[:min(len(g.copies), maxCopies)] {
		x := s.leaves[l.refs[at]]
		out = append(out, Copy{x.id, x.title})
	}
	return out
}
