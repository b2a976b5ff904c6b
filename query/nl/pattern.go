package nl

import "strings"

// pattern matches a sequence of words. Each slot lists alternatives and may be optional:
// "but|and? without" matches "without", "but without" and "and without". Names in capitals
// stand for the word classes of the lexicon.
type pattern []slot

type slot struct {
	words    map[string]bool
	optional bool
}

func newPattern(text string) pattern {
	var p pattern
	for field := range strings.FieldsSeq(text) {
		s := slot{words: map[string]bool{}}
		field, s.optional = strings.CutSuffix(field, "?")
		for name := range strings.SplitSeq(field, "|") {
			if class, ok := classes[name]; ok {
				for w := range strings.FieldsSeq(class) {
					s.words[w] = true
				}
				continue
			}
			s.words[name] = true
		}
		p = append(p, s)
	}
	return p
}

func patterns(lines ...string) (out []pattern) {
	for _, text := range lines {
		out = append(out, newPattern(text))
	}
	return out
}

// at returns the number of words from index i that the pattern matches, the most it can, or 0.
// A match does not cross punctuation.
func (p pattern) at(words []word, i int) int { return max(0, p.match(words, i)) }

// match is at, with -1 for no match and 0 for a match of optional words only.
func (p pattern) match(words []word, i int) int {
	if len(p) == 0 {
		return 0
	}
	best := -1
	if p[0].optional {
		best = p[1:].match(words, i)
	}
	if i >= len(words) || !p[0].words[words[i].is] {
		return best
	}
	if words[i].pauses() {
		words = words[:i+1]
	}
	if n := p[1:].match(words, i+1); n >= 0 {
		best = max(best, n+1)
	}
	return best
}

// longest returns the number of words that the longest match of any pattern has at index i.
func longest(all []pattern, words []word, i int) int {
	best := 0
	for _, p := range all {
		best = max(best, p.at(words, i))
	}
	return best
}
