package nl

import "slices"

// trim takes thanks off the end.
func trim(words []word) []word {
	for i := range words {
		if n := thanks.at(words, i); i > 0 && n > 0 && i+n == len(words) {
			return words[:i]
		}
	}
	return words
}

// request takes off what asks rather than names.
func (p *parser) request(words []word) []word {
	for {
		n := longest(polite, words, 0)
		kind := &p.sure
		if m := longest(requests, words, 0); m > n {
			n, kind = m, new(bool)
		}
		if n == 0 || n == len(words) || words[n].is == "to" || words[n].is == "not" || words[n].is == "no" && n > 1 {
			return words
		}
		p.notef("left out %q: it asks for results and names nothing in them", join(words[:n]))
		p.understood, *kind = true, true
		words = words[n:]
	}
}

// container takes off what any result is: photos of, documents that mention.
func (p *parser) container(words []word) []word {
	n, joins := of.at(words, 0), false
	if m := longest(holds, words, 0); m >= n {
		n, joins = m, m > 0
	}
	if n == 0 || n == len(words) || p.question {
		return words
	}
	if slices.ContainsFunc(cues, func(c cue) bool { return c.excludes && longest(c.patterns, words, n) > 0 }) {
		return words
	}
	p.notef("left out %q: it could be said of any result", join(words[:n]))
	p.understood, p.joins = true, joins
	return words[n:]
}
