package nl

import "strings"

// pattern is a phrase of the rules: words side by side, each with its alternatives, some of
// them optional. "but|and? without" is "without", "but without" and "and without"; words in
// capitals stand for the classes of the lexicon.
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

// at is how many words from index i on the pattern takes, the most it can; 0: it does not
// stand there. It does not reach across punctuation.
func (p pattern) at(words []word, i int) int {
	if len(p) == 0 {
		return 0
	}
	best := 0
	if p[0].optional {
		best = p[1:].at(words, i)
	}
	if i >= len(words) || !p[0].words[words[i].is] {
		return best
	}
	if len(p) == 1 || allOptional(p[1:]) {
		best = max(best, 1)
	}
	if words[i].pauses() || len(p) == 1 {
		return best
	}
	if n := p[1:].at(words, i+1); n > 0 {
		best = max(best, n+1)
	}
	return best
}

func allOptional(p pattern) bool {
	for _, s := range p {
		if !s.optional {
			return false
		}
	}
	return true
}

// longest is the most words that any of the patterns takes at index i.
func longest(all []pattern, words []word, i int) int {
	best := 0
	for _, p := range all {
		best = max(best, p.at(words, i))
	}
	return best
}
