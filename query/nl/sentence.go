package nl

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// parser reads one text.
type parser struct {
	wants, drops, filters []query.Node
	notes, doubts         []string // doubts are reasons to keep the text as one atom
	understood, sure      bool
	asked                 *query.Atom // the questions so far
	vague                 bool        // a wanted part has no content word
	kind                  string      // the noun by which the text calls the results

	// State of the current sentence:
	words    []word // without request and container
	at       []phrases
	question bool
	joins    bool   // "and" joins wanted items: photos with a dog and a ball
	main     []word // the wanted part
	onlyOne  bool   // but not both
	aside    bool   // a comma precedes the current clause
	leads    bool   // the current clause begins the sentence
}

func (p *parser) notef(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// read returns the formula of all sentences, nil if they name nothing.
func (p *parser) read(words []word) query.Node {
	var rest []word
	for _, w := range words {
		if w.node == nil {
			rest = append(rest, w)
			continue
		}
		p.filters, p.understood = append(p.filters, w.node), true
		if n := len(rest); n > 0 && w.stops {
			rest[n-1].stops = true
		}
	}
	from := 0
	for i, w := range rest {
		if w.stops || i == len(rest)-1 {
			p.sentence(rest[from : i+1])
			from = i + 1
		}
	}
	switch {
	case len(p.wants) > 0 && len(p.drops) > 0:
		p.sure = true
	case len(p.wants) > 1 && !p.sure:
		p.understood = false // a narrative, not a request
	}
	if p.vague && len(p.filters) == 0 {
		p.understood = false
	}
	parts := flat(p.wants)
	for _, n := range p.drops {
		parts = append(parts, &query.Not{X: n})
	}
	return query.AllOf(append(parts, p.filters...)...)
}

// flat replaces conjunctions by their parts.
func flat(nodes []query.Node) (out []query.Node) {
	for _, n := range nodes {
		if and, ok := n.(*query.And); ok {
			out = append(out, and.Parts...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// sentence reads one sentence: its wanted part and the clauses that add and exclude.
func (p *parser) sentence(words []word) {
	p.main, p.joins, p.onlyOne = nil, false, false
	words = excludingLast(p.request(trim(words)))
	if longest(greetings, words, 0) == len(words) {
		p.notef("left out %q: a greeting", join(words))
		return
	}
	p.question = isQuestion(words)
	words = p.container(words)
	p.words, p.at = words, phrasesOf(words)
	for i := 0; i < len(words); {
		if n := p.at[i].idiom; n > 0 {
			p.main = append(p.main, words[i:i+n]...)
			i += n
			continue
		}
		if n := notBoth.at(words, i); n > 0 && i+n == len(words) {
			p.onlyOne = true
			break
		}
		c, n := p.cueAt(i)
		if n == 0 {
			p.main = append(p.main, words[i])
			i++
			continue
		}
		i = p.clause(i, n, c)
	}
	wanted := p.want(p.main, p.joins)
	if atom, ok := wanted.(*query.Atom); ok && p.question {
		if p.asked != nil { // questions in one text are about one thing
			p.asked.Text += "? " + atom.Text
			return
		}
		p.asked = atom
	}
	if wanted != nil {
		p.wants = append(p.wants, wanted)
	}
}

var notBoth = newPattern("but|and not both")

// clause reads the cue of n words at index i and its object, and returns the index after them.
func (p *parser) clause(i, n int, c cue) int {
	words := p.words
	from := i + n
	p.aside, p.leads = i > 0 && words[i-1].mark == ",", i == 0
	end := p.objectEnd(from, c)
	object, skipped := p.object(words[from:end])
	phrase := join(words[i : from+skipped])
	if len(object) == 0 {
		p.main = append(p.main, words[i:end]...)
		return end
	}
	p.understood = true
	if m := len(p.main); m > 0 && (p.main[m-1].is == "but" || p.main[m-1].is == "and") {
		p.main = p.main[:m-1]
	}
	if c.excludes {
		p.dropVague()
		p.sure = p.sure || !c.weak
		if last := words[end-1]; last.shuts && len(p.main) > 0 {
			p.main[len(p.main)-1].mark = last.mark
		}
		nodes := p.list(object, excluded)
		if weight, why := p.confidence(i, from, end, c); weight == 1 {
			p.notef("%q excludes %s", phrase, texts(nodes))
		} else {
			for _, n := range nodes {
				n.(*query.Atom).Weight = weight
			}
			p.notef("%q may exclude %s, which therefore counts with weight %g: %s", phrase, texts(nodes), weight, why)
		}
		p.drops = append(p.drops, nodes...)
	} else {
		p.sure = true
		nodes := p.list(object, joined)
		p.notef("%q demands %s as well", phrase, texts(nodes))
		p.addWants(nodes)
	}
	return p.resume(end)
}

// addWants adds nodes to the wanted parts, after the wanted part so far.
func (p *parser) addWants(nodes []query.Node) {
	if wanted := p.want(p.main, p.joins); wanted != nil {
		p.wants = append(p.wants, wanted)
	}
	p.main = nil
	p.wants = append(p.wants, nodes...)
}

// resume handles the words that follow an object, at index i, and returns the index at which
// the wanted part continues. A reason is removed; "but with" adds to the wanted parts.
func (p *parser) resume(i int) int {
	words := p.words
	if i == len(words) {
		return i
	}
	if isReason(words, i) {
		p.notef("left out %q: a reason", join(words[i:]))
		return len(words)
	}
	if p.leads {
		i = len(words) - len(p.container(p.request(words[i:]))) // apart from cats, show me pets
	}
	n := p.at[i].more
	if n == 0 || i+n == len(words) {
		if m := len(p.main); m > 0 {
			p.main[m-1].mark = words[i-1].mark
			if p.question || words[i].in("PREP") || words[i].in("AUX") {
				p.main[m-1].mark = ""
			}
		}
		return i
	}
	if _, m := p.cueAt(i); m > n {
		return i
	}
	if len(p.main) == 0 {
		return i + n
	}
	p.sure = true
	return p.clause(i, n, cue{})
}

func texts(nodes []query.Node) string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.String()
	}
	return strings.Join(out, "; ")
}

// want returns the formula of the wanted words, nil if they ask for everything.
func (p *parser) want(words []word, joins bool) query.Node {
	if len(words) == 0 {
		return nil
	}
	if everything.at(words, 0) == len(words) && p.understood {
		p.notef("%q asks for everything", join(words))
		p.sure = p.sure || len(p.drops) > 0
		return nil
	}
	if areClosed(words) {
		p.doubts, p.vague = append(p.doubts, fmt.Sprintf("%q names nothing to search for", join(words))), true
	}
	if n := p.atLeast(words); n != nil {
		return n
	}
	how := alternatives
	if joins {
		how = joined
	}
	nodes := p.list(words, how)
	if len(nodes) == 1 {
		return nodes[0]
	}
	if isAny(words) {
		p.notef("any of: %s", texts(nodes))
		any := query.AnyOf(nodes...)
		if p.onlyOne {
			p.drops = append(p.drops, query.AllOf(nodes...))
			p.notef("but not both of them")
		}
		return any
	}
	p.notef("all of: %s", texts(nodes))
	return query.AllOf(nodes...)
}
