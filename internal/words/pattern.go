package words

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nsfl-go/nsfl/query"
)

// Scope is the part of a document in which a pattern is looked for.
type Scope uint8

// The scopes. Only they know that the first segment of a document is its title.
const (
	Whole Scope = iota
	InTitle
	InText
)

// Pattern finds a query.Pattern in documents. Unlike a Query it is a hard filter: a document
// matches or not, and denied words match too. Words match in singular and plural. A phrase lies
// in one passage; proximity counts words across passages, but not from the title into the text.
// It is immutable and safe for concurrent use.
type Pattern struct {
	scope Scope
	root  *step
	terms []term
	// rows maps the first piece of a word to a list of the terms that the word may be, 0 for
	// none. For a word of one piece, the list is exact.
	rows  *[1 << 16]uint16
	lists [][]int
}

// step is an operator of a pattern, or a phrase of terms.
type step struct {
	terms   []int
	parts   []*step
	within  int
	ordered bool
	length  int // the largest number of words that a match can have
}

// term is a word of a pattern: its inflected forms, or an expression if it is truncated.
type term struct {
	forms    []string
	truncate *regexp.Regexp
}

func (t *term) is(word string) bool {
	return t.truncate != nil && t.truncate.MatchString(word) || slices.Contains(t.forms, word)
}

// NewPattern prepares a pattern. Errors describe the problem with its words.
func NewPattern(p *query.Pattern, scope Scope) (*Pattern, error) {
	out := &Pattern{scope: scope, rows: new([1 << 16]uint16), lists: make([][]int, 1)}
	known := map[string]int{}
	var err error
	out.root, err = out.step(p, known)
	return out, err
}

func (p *Pattern) step(q *query.Pattern, known map[string]int) (*step, error) {
	if q.Words != "" {
		return p.phrase(q.Words, known)
	}
	s := &step{within: q.Within, ordered: q.Ordered}
	for _, part := range q.Parts {
		x, err := p.step(part, known)
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, x)
		if s.within > 0 {
			s.length += x.length
		} else {
			s.length = max(s.length, x.length)
		}
	}
	s.length += s.within
	return s, nil
}

// phrase adds the terms of adjacent words.
func (p *Pattern) phrase(text string, known map[string]int) (*step, error) {
	s := &step{}
	add := func(key string, enter func() error) error {
		at, ok := known[key]
		if !ok {
			at = len(p.terms)
			p.terms, known[key] = append(p.terms, term{}), at
			if err := enter(); err != nil {
				return err
			}
		}
		s.terms = append(s.terms, at)
		return nil
	}
	v := shared()
	for _, word := range strings.Fields(text) {
		if query.IsTruncated(word) {
			for _, part := range strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '*' && r != '?' }) {
				if err := add(strings.ToLower(part), func() error { return p.truncated(v, part) }); err != nil {
					return nil, err
				}
			}
			continue
		}
		for _, t := range v.tokenize(word) {
			if t.sign {
				continue
			}
			if err := add(" "+Stem(t.word), func() error { return p.inflected(v, &t) }); err != nil {
				return nil, err
			}
		}
	}
	if s.length = len(s.terms); s.length == 0 {
		return nil, errors.New("there is no word in it")
	}
	return s, nil
}

// inflected makes the last term one of a word in its inflected forms.
func (p *Pattern) inflected(v *vocabulary, t *token) error {
	pieces := v.forms(Stem(t.word))
	if uint16(t.ids[0]) == v.unknown || len(pieces) == 0 {
		return fmt.Errorf("%.40q has a character that no word is kept with", t.word)
	}
	for _, form := range pieces {
		last := &p.terms[len(p.terms)-1]
		last.forms = append(last.forms, v.text(form))
		p.enter(form[0])
	}
	return nil
}

// truncated makes the last term one of a truncated word.
func (p *Pattern) truncated(v *vocabulary, word string) error {
	var expression strings.Builder
	prefix := ""
	for rest := word; rest != ""; {
		end := strings.IndexAny(rest, "*?")
		if end < 0 {
			end = len(rest)
		}
		literal := ""
		for _, t := range v.tokenize(rest[:end]) { // in lower case and without accents
			if uint16(t.ids[0]) == v.unknown {
				return fmt.Errorf("%.40q has a character that no word is kept with", word)
			}
			literal += t.word
		}
		if expression.Len() == 0 {
			prefix = literal
		}
		expression.WriteString(regexp.QuoteMeta(literal))
		if end < len(rest) {
			expression.WriteString(map[byte]string{'*': ".*", '?': ".?"}[rest[end]])
			end++
		}
		rest = rest[end:]
	}
	last := &p.terms[len(p.terms)-1]
	last.truncate = regexp.MustCompile("^(?:" + expression.String() + ")$")
	for id, piece := range v.pieces {
		switch {
		case v.continuing[id] || v.sign[id] || uint16(id) == v.unknown:
		case strings.HasPrefix(piece, prefix):
			if last.is(piece) {
				p.enter(uint16(id))
			}
			p.enter(uint16(id) | fragment)
		case strings.HasPrefix(prefix, piece):
			p.enter(uint16(id) | fragment)
		}
	}
	return nil
}

// enter adds the last term to the list of a piece.
func (p *Pattern) enter(piece uint16) {
	if p.rows[piece] == 0 {
		p.rows[piece] = uint16(len(p.lists))
		p.lists = append(p.lists, nil)
	}
	list, at := &p.lists[p.rows[piece]], len(p.terms)-1
	if !slices.Contains(*list, at) {
		*list = append(*list, at)
	}
}

// span is a match: the numbers of its first word and of the word after its last.
type span struct{ from, to int }

func (s span) compare(t span) int {
	return cmp.Or(cmp.Compare(s.from, t.from), cmp.Compare(s.to, t.to))
}

// positions are the places of a pattern's terms in a document.
type positions struct {
	terms  [][]int // by term, in order
	starts []int   // the numbers of the first words of segments
	words  int
}

// apart is the distance between a title and the text, so that nothing is near across it.
const apart = 1 << 20

// read finds the terms of the pattern in a document. It calls each for every word, unless it is
// nil.
func (p *Pattern) read(pieces []uint16, each func(number, segment int, word []uint16)) *positions {
	v := shared()
	out := &positions{starts: []int{0}}
	in := p.scope != InText
	for i := 0; i < len(pieces); {
		piece := pieces[i]
		switch piece {
		case Break:
			if in = p.scope != InTitle; !in {
				return out
			}
			if len(out.starts) == 1 {
				out.words += apart
			}
			out.starts = append(out.starts, out.words)
			i++
			continue
		case denying, stating:
			i++
			continue
		}
		end := i + 1
		if piece&fragment != 0 {
			for end < len(pieces) && pieces[end]&fragment != 0 && v.continuing[pieces[end]&^fragment] {
				end++
			}
		}
		if row := p.rows[piece]; row != 0 && in {
			text := ""
			for _, t := range p.lists[row] {
				if piece&fragment != 0 {
					if text == "" {
						text = v.text(pieces[i:end])
					}
					if !p.terms[t].is(text) {
						continue
					}
				}
				if out.terms == nil {
					out.terms = make([][]int, len(p.terms))
				}
				out.terms[t] = append(out.terms[t], out.words)
			}
		}
		if each != nil {
			each(out.words, len(out.starts)-1, pieces[i:end])
		}
		out.words++
		i = end
	}
	return out
}

// In reports whether a document matches.
func (p *Pattern) In(pieces []uint16) bool {
	return len(p.find(p.read(pieces, nil), 1)) > 0
}

// Match is a place where a document matches a pattern.
type Match struct {
	Text    string `json:"text" doc:"the matching words, in lower case and without punctuation"`
	Passage int    `json:"passage" doc:"0 is the title"`
}

// Matches returns the first matches in a document, without those that overlap one before them.
func (p *Pattern) Matches(pieces []uint16, most int) []Match {
	var found []span
	end := 0
	for _, s := range p.find(p.read(pieces, nil), 1<<30) {
		if s.from >= end && len(found) < most {
			found, end = append(found, s), s.to
		}
	}
	out := make([]Match, len(found))
	at := 0
	p.read(pieces, func(number, segment int, word []uint16) {
		for at < len(found) && number >= found[at].to {
			at++
		}
		if at < len(found) && number >= found[at].from {
			if m := &out[at]; m.Text == "" {
				m.Text, m.Passage = shared().text(word), segment
			} else {
				m.Text += " " + shared().text(word)
			}
		}
	})
	return out
}

// block is the number of words that are searched at once. It bounds the memory for a document
// in which every word is a match.
const block = 4096

// find returns the matches in order, all of those in the first blocks that have most.
func (p *Pattern) find(in *positions, most int) (out []span) {
	if in.terms == nil || !p.root.possible(in.terms) {
		return nil
	}
	part := &positions{terms: make([][]int, len(in.terms)), starts: in.starts}
	for lo := 0; lo < in.words && len(out) < most; lo += block {
		first := in.words
		for t, list := range in.terms {
			from, _ := slices.BinarySearch(list, lo)
			to, _ := slices.BinarySearch(list, lo+block+p.root.length)
			if part.terms[t] = list[from:to]; from < len(list) {
				first = min(first, list[from])
			}
		}
		if first >= lo+block { // continue at the next word that counts
			lo += (first - lo) / block * block
			lo -= block
			continue
		}
		if !p.root.possible(part.terms) {
			continue
		}
		for _, s := range p.root.find(part) {
			if s.from < lo+block && s.from >= lo {
				out = append(out, s)
			}
		}
	}
	return out
}

// possible reports whether all terms are there that a match needs.
func (s *step) possible(terms [][]int) bool {
	for _, t := range s.terms {
		if len(terms[t]) == 0 {
			return false
		}
	}
	if s.parts == nil {
		return true
	}
	possible := func(part *step) bool { return part.possible(terms) }
	if s.within == 0 {
		return slices.ContainsFunc(s.parts, possible)
	}
	return possible(s.parts[0]) && possible(s.parts[1])
}

// find returns the matches in order, each once.
func (s *step) find(in *positions) (out []span) {
	switch {
	case s.parts == nil:
		return s.adjacent(in)
	case s.within == 0:
		for _, part := range s.parts {
			out = append(out, part.find(in)...)
		}
	default:
		a, b := s.parts[0].find(in), s.parts[1].find(in)
		if out = s.follow(nil, a, b); !s.ordered {
			out = s.follow(out, b, a)
		}
	}
	slices.SortFunc(out, span.compare)
	return slices.Compact(out)
}

// adjacent returns the places of the terms next to each other in a passage.
func (s *step) adjacent(in *positions) (out []span) {
next:
	for _, at := range in.terms[s.terms[0]] {
		for i, t := range s.terms[1:] {
			if _, ok := slices.BinarySearch(in.terms[t], at+1+i); !ok {
				continue next
			}
		}
		if n := len(s.terms); n > 1 {
			if start, ok := slices.BinarySearch(in.starts, at+1); ok || start < len(in.starts) && in.starts[start] < at+n {
				continue // a passage begins inside
			}
		}
		out = append(out, span{at, at + len(s.terms)})
	}
	return out
}

// follow appends the spans of a match of a and one of b that follows it within the distance,
// each once.
func (s *step) follow(out, a, b []span) []span {
	ends := make([]bool, s.length+1) // by the number of words from the start
	for len(a) > 0 {
		from, reached := a[0].from, 0
		for ; len(a) > 0 && a[0].from == from; a = a[1:] { // those with the same start reach the same matches
			at, _ := slices.BinarySearchFunc(b, max(a[0].to, reached), func(y span, from int) int { return cmp.Compare(y.from, from) })
			reached = a[0].to + s.within
			for ; at < len(b) && b[at].from < reached; at++ {
				ends[b[at].to-from] = true
			}
		}
		for n, ok := range ends {
			if ok {
				out, ends[n] = append(out, span{from, from + n}), false
			}
		}
	}
	return out
}
