package retrieve

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// snippets extracts the passages that best match the wanted atoms, and the lexical matches of
// all atoms.
type snippets struct {
	atoms   []wantedAtom
	refused []refusedAtom
	lexical *lexicalMatches
	lines   []float32 // scratch space for lexical shares
	read    *words.Reader
	words   float64             // weight of the lexical score
	pieces  map[string][]uint16 // word pieces of the segments of the current document
	// patterns are those of the filter.
	patterns []filterPattern
}

// wantedAtom is an atom that is not negated.
type wantedAtom struct {
	name   string
	vector []float32
	number int // index among all atoms
}

// filterPattern is a predicate that looks for words.
type filterPattern struct {
	*query.Predicate
	pattern *words.Pattern
}

// refusedAtom is a negated atom.
type refusedAtom struct {
	name   string
	number int
}

func newSnippets(p *Prepared) *snippets {
	negated := query.Negated(p.Formula.Root)
	s := &snippets{lexical: p.lexical, words: p.Options.Logic.Words}
	for leaf := range query.Leaves(p.Formula.Filter) {
		if x, ok := leaf.(*query.Predicate); ok && x.OnText() {
			if pattern, err := storekit.PatternOf(x); err == nil { // the store has reported others
				s.patterns = append(s.patterns, filterPattern{x, pattern})
			}
		}
	}
	number := 0
	for i, a := range p.Formula.Terms.Atoms() {
		if !negated[a.String()] {
			s.atoms = append(s.atoms, wantedAtom{p.Formula.Terms.Name(i), p.Vectors[i], number})
		} else {
			s.refused = append(s.refused, refusedAtom{p.Formula.Terms.Name(i), number})
		}
		number++
	}
	if s.lexical != nil {
		s.read, s.lines = s.lexical.query.NewReader(), make([]float32, number)
	}
	return s
}

// of returns the best passage for each wanted atom, by vector similarity and lexical share,
// and the best of those. Titles are ignored, and a document without passages counts as one.
// Unwanted holds the passages that mention a negated atom or, failing that, deny it.
func (s *snippets) of(d *engine.Document) (best Snippet, each, unwanted []Snippet) {
	if d.ID == "" { // deleted during the search
		return Snippet{}, nil, nil
	}
	s.pieces = map[string][]uint16{}
	unwanted = make([]Snippet, len(s.refused))
	each = make([]Snippet, len(s.atoms))
	values := make([]float64, len(s.atoms))
	found := false
	near := s.near(d)
	look := func(p engine.Passage, v []float32) {
		if clear(s.lines); s.read != nil && (near == nil || near[p.Text]) {
			s.read.Read(s.lines, s.segment(p.Text))
		}
		for i, a := range s.atoms {
			x := Snippet{Text: p.Text, Place: p.Place, Atom: a.name, Similarity: vec.Dot64(a.vector, v)}
			if s.read != nil {
				x.Share = float64(s.lines[a.number])
			}
			if value := x.Similarity + s.words*x.Share; !found || value > values[i] {
				each[i], values[i] = x, value
			}
		}
		found = true
		for i, a := range s.refused {
			if s.read == nil {
				continue
			}
			share, before := float64(s.lines[a.number]), unwanted[i].Share
			if share > max(before, 0) || share < 0 && before == 0 {
				unwanted[i] = Snippet{Text: p.Text, Place: p.Place, Atom: a.name, Share: share}
				unwanted[i].clip()
			}
		}
	}
	for _, p := range d.Passages {
		switch {
		case p.Text == d.Title && len(d.Passages) > 1:
		case p.Vector == nil: // the only passage
			look(p, d.Vector)
		default:
			look(p, p.Vector)
		}
	}
	if !found {
		look(engine.Passage{Text: d.Text}, d.Vector)
	}
	unwanted = slices.DeleteFunc(unwanted, func(x Snippet) bool { return x.Share == 0 })
	if len(each) == 0 { // the formula has no wanted atom
		first := firstPassage(d)
		best = Snippet{Text: first.Text, Place: first.Place}
		best.clip()
		return best, nil, unwanted
	}
	for i := range each {
		each[i].clip()
	}
	top := 0
	for i, v := range values {
		if v > values[top] {
			top = i
		}
	}
	best = each[top]
	if len(each) < 2 {
		each = nil
	}
	return best, each, unwanted
}

// segment returns the word pieces of a segment after the first, with a separator.
func (s *snippets) segment(text string) []uint16 {
	p, ok := s.pieces[text]
	if !ok {
		p = words.Pieces([]string{"", text})
		s.pieces[text] = p
	}
	return p
}

// clip shortens the passage to the size of an excerpt.
func (x *Snippet) clip() {
	x.clipped = len(x.Text) > maxSnippet
	x.Text = clip(x.Text, maxSnippet)
}

// firstPassage returns the first passage that is not the title.
func firstPassage(d *engine.Document) engine.Passage {
	for _, p := range d.Passages {
		if p.Text != d.Title || len(d.Passages) == 1 {
			return p
		}
	}
	return engine.Passage{Text: d.Text}
}

// found returns the lexical matches of each atom, or nil if the lexical score does not count.
func (s *snippets) found(d *engine.Document) [][]words.Found {
	if s.lexical == nil || s.words == 0 {
		return nil
	}
	segments := d.Segments()
	if near := s.near(d); near != nil {
		segments = slices.DeleteFunc(segments, func(text string) bool { return text != d.Title && !near[text] })
	}
	segments = bounded(segments)
	pieces := words.Pieces(segments[:1])
	for _, text := range segments[1:] {
		pieces = append(pieces, s.segment(text)...)
	}
	s.pieces = nil
	return s.lexical.query.Explain(pieces)
}

// matched returns the patterns of the filter that a document matches.
func (s *snippets) matched(d *engine.Document) (out []PatternMatch) {
	if s.patterns == nil {
		return nil
	}
	const most = 3
	values, _ := predicate.Values(d.Metadata) // which the store has read before
	var text []uint16
	for _, p := range s.patterns {
		var found []words.Match
		if query.IsTextField(p.Field) {
			if text == nil {
				text = words.Pieces(bounded(d.Segments()))
			}
			found = p.pattern.Matches(text, most)
		} else {
			for _, texts := range storekit.TextsOf(p.Predicate, d, values) {
				found = append(found, p.pattern.Matches(words.Pieces(bounded(texts)), most-len(found))...)
			}
		}
		if len(found) > 0 {
			out = append(out, PatternMatch{p.String(), found})
		}
	}
	return out
}

// bounded shortens segments to maxRead bytes in all.
func bounded(segments []string) []string {
	left := maxRead
	for i, text := range segments {
		segments[i] = strings.ToValidUTF8(text[:min(len(text), left)], "")
		left -= len(segments[i])
	}
	return segments
}

// maxRead bounds the text of a document that is tokenized for snippets. It limits the cost of
// long documents.
const maxRead = 256 << 10

// near returns the texts of the passages of a long document to tokenize: those most similar to
// a wanted atom. It returns nil if all passages are tokenized.
func (s *snippets) near(d *engine.Document) map[string]bool {
	size := 0
	for _, p := range d.Passages {
		size += len(p.Text)
	}
	if size <= maxRead || len(d.Passages) < 2 {
		return nil
	}
	order, similarity := make([]int, len(d.Passages)), make([]float64, len(d.Passages))
	for i, p := range d.Passages {
		order[i], similarity[i] = i, math.Inf(-1)
		for _, a := range s.atoms {
			if len(p.Vector) == len(a.vector) {
				similarity[i] = max(similarity[i], vec.Dot64(a.vector, p.Vector))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(similarity[b], similarity[a]) })
	near := map[string]bool{}
	for size = 0; size < maxRead; order = order[1:] {
		text := d.Passages[order[0]].Text
		near[text] = true
		size += len(text)
	}
	return near
}

// matches returns the lexical match of each atom for the candidate at line.
func (c *Candidates) matches(x *loadedDoc, line int) (out []AtomWords) {
	if x.found == nil {
		return nil
	}
	negated := query.Negated(c.Formula.Root)
	for i, a := range c.Formula.Terms.Atoms() {
		at := len(out)
		words := AtomWords{c.Formula.Terms.Name(i), negated[a.String()], float64(c.Shares[at][line]), x.found[at]}
		if !words.Negated {
			words.Share /= c.lexical.query.WantedFactor()
		}
		out = append(out, words)
	}
	return out
}

// unmentioned reports whether the lexical score counts but no document of the groups mentions
// a wanted atom.
func (c *Candidates) unmentioned(r *Result, ranking *Ranking, groups []group) bool {
	wanted := func(h Hit) bool {
		return slices.ContainsFunc(h.Words, func(w AtomWords) bool { return !w.Negated && len(w.Found) > 0 })
	}
	if !slices.ContainsFunc(r.Hits, wanted) {
		return false
	}
	negated := query.Negated(c.Formula.Root)
	number := 0
	for _, a := range c.Formula.Terms.Atoms() {
		for _, g := range groups {
			if !negated[a.String()] && float64(c.Shares[number][ranking.Lines[g.first]]) > mentions*c.lexical.query.WantedFactor() {
				return false
			}
		}
		number++
	}
	return true
}
