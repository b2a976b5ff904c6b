package nl

import (
	"slices"
	"strings"
)

// phrases holds the lengths in words of the phrases that begin at a word.
type phrases struct {
	idiom, more int
	cues        []int // indexed like cues
}

// phrasesOf finds the phrases that begin at each word.
func phrasesOf(words []word) []phrases {
	out := make([]phrases, len(words))
	for i := range words {
		out[i] = phrases{idiom: idiomAt(words, i), more: longest(more, words, i), cues: make([]int, len(cues))}
		if out[i].more == 0 && i+1 < len(words) && words[i].in("BUT") && words[i+1].in("DOES") {
			out[i].more = 1 // isn't religious and speaks Spanish
		}
		for j, c := range cues {
			out[i].cues[j] = longest(c.patterns, words, i)
		}
	}
	return out
}

// cueAt returns the longest cue at index i and its number of words, 0 if there is none.
func (p *parser) cueAt(i int) (found cue, n int) {
	words := p.words
	for j, c := range cues {
		if m := p.at[i].cues[j]; m > n && i+m < len(words) && p.stands(i, m, c) {
			found, n = c, m
		}
	}
	switch {
	case n > 0:
	case words[i].is == "but" && len(p.main) > 0 && i+1 < len(words) && (everything.at(p.main, 0) == len(p.main) || p.main[0].is == "all" && !words[i+1].in("PRO")):
		return cue{excludes: true}, 1
	case words[i].is == "not" && p.contrasts(i):
		return cue{excludes: true}, 1
	}
	return found, n
}

// begins reports whether a clause can begin at index i.
func begins(words []word, i int) bool {
	return i == 0 || words[i].opens || words[i-1].pauses() || words[i].in("BUT") || words[i-1].in("BUT")
}

// stands reports whether the cue of n words at index i adds or excludes in its context.
func (p *parser) stands(i, n int, c cue) bool {
	words := p.words
	last, next := words[i+n-1], words[i+n]
	switch {
	case c.opens && !begins(words, i), p.question && !c.asks && !(i > 0 && words[i-1].pauses()) && !words[i].opens:
		return false
	case i == 0 && (words[0].in("OMIT") || words[0].in("OMITS") || words[0].in("LEAVE")) && len(p.wants)+len(p.drops) == 0 && !p.wantsAfter(n):
		return false // ignoring files in git
	case i == 0 && n > 1 && words[0].in("ALL") && words[1].is != "but":
		return false // everything except cats asks for everything
	case last.pauses() && last.is != "except":
		return false
	case (last.is == "not" || last.is == "no" || last.is == "never") && (next.is == "only" || next.is == "or" || next.is == "to" && !isPlace(words, i+n+1) && !has(p.main, "TO")):
		return false
	case last.is == "without", last.is == "no" && n > 1 && words[i+n-2].is == "with":
		return p.lacks(i, next)
	case last.is == "minus":
		return !isOperand(next)
	case c.whole && last.in("NEED") && isCircumstance(words, i+n):
		return false
	case c.whole:
		return p.denies(i, n)
	}
	return true
}

// wantsAfter reports whether a wanted part follows the comma behind an exclusion that begins
// the sentence with n words: excluding nuts, cakes with chocolate.
func (p *parser) wantsAfter(n int) bool {
	for i := n; i < len(p.words)-1; i++ {
		if p.words[i].mark == "," {
			_, m := p.cueAt(i + 1)
			return m == 0 && !p.words[i+1].isConjunction()
		}
	}
	return false
}

// isOperand reports whether "minus" before w is arithmetic.
func isOperand(w word) bool {
	return len(w.text) == 1 || w.in("NUM") || w.in("SIGN") || isNumber(w)
}

// isPlace reports whether the word at index i is a name or determiner, which makes a "to" before
// it a preposition.
func isPlace(words []word, i int) bool {
	return i < len(words) && (words[i].named() || words[i].in("DET"))
}

// lacks reports whether "without" at index i excludes its object. It does not if an action
// follows (without saving), if it belongs to a verb (live without), or if the object is a
// circumstance of an action (install without a network).
func (p *parser) lacks(i int, next word) bool {
	words := p.words
	if strings.HasSuffix(next.is, "ing") && !substances[next.is] && (p.question || i == 0 || !isPlural(words[i-1])) {
		return false
	}
	if i > 0 && words[i-1].pauses() {
		return true
	}
	if i > 0 && apart[words[i-1].is] || isCircumstance(words, i+1) && acts(words[:i]) {
		return false
	}
	if !p.question {
		return true
	}
	switch first := words[0]; first.is {
	case "how", "which", "where", "who":
		return true
	case "what":
		return !words[1].in("MANNER")
	}
	return false
}

// acts reports whether words describe an action: sort words, how to sort words.
func acts(words []word) bool {
	if isCommand(words) || len(words) == 1 && words[0].in("VERB") {
		return true
	}
	for i := 1; i < len(words); i++ {
		if words[i-1].is == "to" && !isPlace(words, i) && !isPlural(words[i]) || words[i-1].in("ME") && words[i].in("VERB") {
			return true
		}
	}
	return false
}

// denies reports whether a negated verb at index i describes the wanted part, as in "which birds
// cannot fly", rather than being the sentence's main verb, as in "this is not a song".
func (p *parser) denies(i, n int) bool {
	words := p.words
	first := words[i]
	switch {
	case first.in("PRO") && !first.in("REL"):
		return begins(words, i) && len(p.wants)+len(p.main) > 0
	case first.in("AUX"):
		switch {
		case i == 0:
			return len(p.wants) > 0
		case words[i-1].in("BUT"), words[i+n-1].is == "neither":
			return true
		}
		return p.question && !words[i+n].in("ME") && len(p.main) > 1 && (words[0].is == "which" || words[0].is == "what") && !has(p.main, "AUX") && !has(p.main, "ME") && !has(p.main, "WHEN")
	case first.in("REL"):
		return i > 0 || !p.question
	}
	return true
}

// contrasts reports whether a bare "not" at index i excludes: turkey the country not the bird,
// shoes not made of leather.
func (p *parser) contrasts(i int) bool {
	words := p.words
	if len(p.main) == 0 || p.question || i+1 >= len(words) {
		return false
	}
	last := p.main[len(p.main)-1]
	if last.in("AUX") || last.in("PREP") || last.is == "or" || last.is == "if" || last.is == "why" {
		return false
	}
	next := words[i+1]
	return isParticiple(next) || next.in("AGAINST")
}

func isQuestion(words []word) bool {
	if len(words) > 2 && words[0].in("ALSO") {
		words = words[1:]
	}
	if len(words) < 2 {
		return false
	}
	first, second := words[0], words[1]
	if first.in("ASK") || first.in("PREP") && second.in("ASK") {
		return true
	}
	return first.in("AUX") && (second.in("DET") || second.in("PRO") || second.in("ALL") || second.in("ME") || second.is == "there") ||
		first.in("AUX") && words[len(words)-1].mark == "?"
}

// idiomAt returns the number of words of the idiom at index i, ignoring case.
func idiomAt(words []word, i int) int {
	const most = 7
	folded := slices.Clone(words[i:min(len(words), i+most)])
	for j := range folded {
		if folded[j].is == "" {
			folded[j].is = folded[j].folded()
		}
	}
	return longest(idioms, folded, 0)
}
