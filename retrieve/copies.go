package retrieve

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// Copy is a document with the same wording as a hit; see words.Wording.Copy.
type Copy struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// Limits on the search for copies.
const (
	copyDepth  = 200  // copies to skip, in addition to the results wanted
	copyReads  = 50   // possible copies to read after the last result
	maxCopies  = 20   // copies named per hit
	copyCosine = 0.85 // least similarity of the vectors of two copies
	copyApart  = 0.1  // largest difference in any similarity or lexical share
)

// depth returns how many ranked documents to examine.
func (o *Options) depth() int {
	n := o.total() + copyDepth
	if o.AllCopies {
		n = o.total() + 1 // one more, to see whether there is a next page
	}
	if len(o.Facets) > 0 {
		n = max(n, foundIn)
	}
	return n
}

// group is a document and its copies, as indices into a list.
type group struct {
	first  int
	copies []int
}

// docCache caches the parts of documents that a result needs, so that each is read once.
type docCache struct {
	store    engine.Store
	snippets *snippets
	docs     map[engine.Ref]*loadedDoc
	fields   []string // metadata fields to keep; nil means all
}

func newDocCache(s engine.Store, p *Prepared) *docCache {
	return &docCache{s, newSnippets(p), map[engine.Ref]*loadedDoc{}, p.Options.Fields}
}

// read loads parts of documents that are not cached yet.
func (s *docCache) read(ctx context.Context, refs []engine.Ref, parts engine.Parts) error {
	wanted := slices.DeleteFunc(slices.Clone(refs), func(r engine.Ref) bool {
		l := s.docs[r]
		return l != nil && l.parts&parts == parts
	})
	return engine.Visit(ctx, s.store, wanted, parts, func(i int, d *engine.Document) { s.docs[wanted[i]] = s.load(d, parts) })
}

// list is a ranked list of documents, best first.
type list struct {
	refs []engine.Ref
	// columns holds the similarities and lexical shares of the documents.
	columns [][]float32
	ranks   map[engine.Ref]int // ranks in another list, whose copies are already known
	all     bool               // show copies as separate results
}

// list returns the documents of a ranking.
func (c *Candidates) list(r *Ranking) *list {
	l := &list{all: c.Options.AllCopies}
	for _, line := range r.Lines {
		l.refs = append(l.refs, c.Refs[line])
	}
	for _, column := range slices.Concat(c.all(), [][]float32{c.near}) {
		if column == nil { // the mode has no query vector of its own
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

// atOnce is the number of documents read per batch, before checking whether more fit.
const atOnce = 64

// shown is the part of a list that a result shows.
type shown struct {
	all    []group // includes earlier pages
	groups []group // this page
	fits   bool    // every group fit into the byte budget
	deep   bool    // the limit on copies was reached before enough results were found
	more   bool    // further results follow
}

// fold selects the documents to show: at most o.K after the first o.Offset, as long as they
// fit. The first one always fits. The selected documents are cached afterwards, and deleted
// ones are skipped. fold reads further to replace copies, up to a limit that does not depend
// on o.K; then follow looks only for copies of the documents shown.
func (s *docCache) fold(ctx context.Context, l *list, o *Options, fits func(*loadedDoc) bool) (*shown, error) {
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
			end = min(end, at+wanted) // later documents may be shown and need all parts
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
			if out.fits = left || fits(s.docs[l.refs[at]]) || len(out.all) == o.Offset; out.fits {
				out.all = append(out.all, group{first: at})
			}
		}
	}
	err := s.follow(ctx, l, out.all, at)
	out.groups = out.all[min(o.Offset, len(out.all)):]
	listed := gone + len(out.all)
	for _, g := range out.all {
		listed += len(g.copies)
	}
	out.more = listed < len(l.refs) && !out.deep
	return out, err
}

// follow looks for copies from position at onwards. It reads texts only of documents whose
// vectors are near one that is shown.
func (s *docCache) follow(ctx context.Context, l *list, shown []group, at int) error {
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

// at returns the documents at the given positions.
func (l *list) at(places []int) (refs []engine.Ref) {
	for _, at := range places {
		refs = append(refs, l.refs[at])
	}
	return refs
}

// join adds a document to the group it is a copy of, and reports whether there is one.
func (s *docCache) join(l *list, shown []group, at int) bool {
	for i := range shown {
		g := &shown[i]
		first, other := l.refs[g.first], l.refs[at]
		if l.near(g.first, at) && s.close(first, other) && s.docs[first].wording.Copy(s.docs[other].wording) {
			g.copies = append(g.copies, at)
			return true
		}
	}
	return false
}

// near reports whether the similarities and shares of two documents are close enough for
// copies. Texts that differ mainly in a query term are not copies.
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

// gone reports whether a document was deleted during the search.
func (s *docCache) gone(r engine.Ref) bool { return s.docs[r].id == "" }

// close reports whether the vectors of two documents are close enough for copies.
func (s *docCache) close(a, b engine.Ref) bool {
	return !s.gone(a) && !s.gone(b) && vec.Dot64(s.docs[a].vector, s.docs[b].vector) >= copyCosine
}

// copies returns the first copies of a group.
func (s *docCache) copies(l *list, g group) (out []Copy) {
	for _, at := range g.copies[:min(len(g.copies), maxCopies)] {
		x := s.docs[l.refs[at]]
		out = append(out, Copy{x.id, x.title})
	}
	return out
}
