package nl

import "slices"

// trim removes thanks from the end.
func trim(words []word) []word {
	for i := range words {
		if n := thanks.at(words, i); i > 0 && n > 0 && i+n == len(words) {
			return words[:i]
		}
	}
	return words
}

// excludingLast rewrites an exclusion that ends with its cue: maps, cities excluded becomes
// maps, excluding cities.
func excludingLast(words []word) []word {
	const most = 4 // words between the comma and the cue
	end := len(words) - 1
	for i := end - 2; i >= max(0, end-1-most); i-- {
		if last := words[end]; words[i].mark == "," && (last.is == "excluded" || last.is == "excepted") {
			moved := append(slices.Clone(words[:i+1]), word{text: last.text, is: "excluding"})
			moved = append(moved, words[i+1:end]...)
			object := &moved[end]
			object.mark, object.stops = last.mark, last.stops
			return moved
		}
	}
	return words
}

// request removes words that ask for results: show me, could you find.
func (p *parser) request(words []word) []word {
	for {
		n := longest(polite, words, 0)
		kind := &p.sure
		if m := longest(requests, words, 0); m > n {
			n, kind = m, new(bool)
		}
		if n == 0 || n == len(words) || words[n].is == "to" || words[n].is == "not" || words[n].is == "no" && n > 1 || isTask(words[n-1:], n) {
			return words
		}
		p.notef("left out %q: it asks for results and names nothing in them", join(words[:n]))
		p.understood, *kind = true, true
		words = words[n:]
	}
}

// isTask reports whether the last verb of a request of n words, words[0], is the task itself
// rather than a request for results: find out what, find or create, search a list.
func isTask(words []word, n int) bool {
	next := words[1]
	return words[0].in("FIND") && (next.in("PARTICLE") || next.isConjunction()) || n == 1 && (words[0].is == "find" || words[0].is == "search" || words[0].is == "show" || words[0].is == "tell") && next.in("DET") && longest(holds, words, 1) == 0
}

// container removes a phrase that fits any result: photos of, documents that mention.
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
	p.notef("left out %q: it says what the results are, not what is in them", join(words[:n]))
	for _, w := range words[:n] {
		if w.in("THING") || w.in("PAPER") {
			p.kind = w.is
		}
	}
	p.understood, p.joins = true, joins
	return words[n:]
}
