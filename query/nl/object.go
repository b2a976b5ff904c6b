package nl

import "slices"

// objectEnd returns the index after the object that begins at index from.
func (p *parser) objectEnd(from int, c cue) int {
	words := p.words
	for i := from; i < len(words); i++ {
		if i > from && p.leaves(i, c) {
			return i
		}
		if words[i].shuts {
			return i + 1
		}
	}
	return len(words)
}

// leaves reports whether the object ends before the word at index i.
func (p *parser) leaves(i int, c cue) bool {
	words := p.words
	w, last := words[i], words[i-1]
	if _, n := p.cueAt(i); n > 0 {
		return true
	}
	if c.excludes && p.at[i].more > 0 && w.is != "and" || isReason(words, i) || w.in("END") {
		return true
	}
	if c.excludes && w.is == "and" && i+1 < len(words) && (words[i+1].is == "with" || words[i+1].in("HAS") && !words[i+1].in("PREP") || c.whole && words[i+1].in("DOES")) {
		return true
	}
	if last.pauses() && !(last.mark == "," && p.lists(i, c)) && !(last.mark == ":" && w.named()) {
		return true
	}
	if len(p.main) == 0 {
		return false
	}
	if c.near && !p.aside && (w.is == "for" || w.is == "near" || w.is == "under" || w.is == "in" && i+1 < len(words) && words[i+1].named() && !has(p.main, "PREP")) {
		return true
	}
	return p.question && !c.whole && w.in("AUX") && !has(p.main, "AUX")
}

// lists reports whether the words after a comma, at index i, continue the object as a list.
func (p *parser) lists(i int, c cue) bool {
	words := p.words
	w := words[i]
	if w.isConjunction() {
		return !isQuestion(words[i+1:])
	}
	if w.in("PREP") || w.in("ASK") || w.in("RATHER") || w.in("ME") || isQuestion(words[i:]) {
		return false
	}
	items := 0
	for j := i; j < len(words); j++ {
		if _, n := p.cueAt(j); n > 0 {
			break
		}
		if words[j].isConjunction() {
			return j-i <= 3
		}
		if items++; items > 3 {
			return false
		}
		if words[j].pauses() {
			items = 0
		}
	}
	bare := c.opens && c.weak
	return !bare && !p.aside && len(p.main) > 0
}

// isReason reports whether a reason begins at index i.
func isReason(words []word, i int) bool {
	switch words[i].is {
	case "because":
		return true
	case "since", "as":
		return i+1 < len(words) && (words[i+1].in("PRO") || words[i+1].in("ME"))
	}
	return false
}

// object strips an excluded object and removes its leading preposition and possessive as well.
// The preposition stays before a number, and if nothing else differs from the wanted part:
// flights from Rome, not to Rome.
func (p *parser) object(words []word) (object []word, skipped int) {
	object, skipped = strip(words)
	rest := object
	if len(rest) > 1 && rest[0].in("LEADS") && !isNumber(rest[1]) {
		rest = rest[1:]
	}
	for len(rest) > 1 && (rest[0].in("ART") || rest[0].in("POSS")) {
		rest = rest[1:]
	}
	if len(rest) == 1 && (rest[0].in("ALL") || rest[0].in("EMPTY")) {
		return nil, skipped
	}
	for _, w := range rest {
		if !slices.ContainsFunc(p.main, func(m word) bool { return m.text == w.text }) {
			return rest, skipped + len(object) - len(rest)
		}
	}
	return object, skipped
}

// dropVague removes "with something" from the end of the wanted part, before "other than".
func (p *parser) dropVague() {
	n := len(p.main)
	if n > 2 && p.main[n-1].in("ALL") && p.main[n-2].in("PREP") {
		n--
	}
	if n > 1 && p.main[n-1].in("PREP") && !p.main[n-1].pauses() && !p.question {
		n--
	}
	if n < len(p.main) {
		p.notef("left out %q: it names nothing", join(p.main[n:]))
		p.main = p.main[:n]
	}
}

// strip removes words before and after an object that name nothing, and returns the number of
// words removed before it.
func strip(words []word) (object []word, skipped int) {
	all := len(words)
	for {
		n := longest(empty, words, 0)
		if n == 0 || n >= len(words) {
			break
		}
		words = words[n:]
	}
	skipped = all - len(words)
	for i := 1; i < len(words); i++ {
		if n := longest(tail, words, i); n > 0 && i+n == len(words) {
			return words[:i], skipped
		}
	}
	if len(words) == 1 && (words[0].in("ALL") || words[0].in("ART")) {
		return nil, skipped
	}
	return words, skipped
}
