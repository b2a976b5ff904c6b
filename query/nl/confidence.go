package nl

import (
	"slices"
	"strings"
)

// unsure is the weight of an exclusion that the sentence may not have meant as one.
const unsure = 0.5

// confidence returns the weight of the exclusion whose cue is words[i:from] and whose object
// is words[from:end], and why it is below 1.
func (p *parser) confidence(i, from, end int, c cue) (weight float64, why string) {
	words := p.words
	object := words[from:end]
	switch {
	case words[from-1].is == "without" && !p.aside && !words[i].opens && isCommand(words) && !isIdentifier(object):
		return unsure, "it may only say how something is done"
	case c.whole && words[from-1].in("NEED"):
		return unsure, "not needing a thing is not the same as not being about it"
	case !isContrast(words[i:from]) && p.isAspect(object):
		return unsure, "it may be a part of the wanted thing"
	}
	return 1, ""
}

// isContrast reports whether a cue sets its object against the wanted thing: rather than.
func isContrast(cue []word) bool {
	return cue[len(cue)-1].is == "not" || has(cue, "CONTRAST")
}

// isAspect reports whether an excluded object is a part of the wanted thing: his role in it,
// the use of it, the play's ending.
func (p *parser) isAspect(object []word) bool {
	rest, _ := strip(object)
	for i, w := range object[:min(3, len(object))] {
		if w.in("ASPECT") && i+1 < len(object) && object[i+1].in("PREP") {
			return true
		}
	}
	first := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(rest[0].text, "'s"), "’s"), "'’")
	if rest[0].in("POSS") || object[0].in("POSS") || rest[len(rest)-1].in("SELF") {
		return true
	}
	return first != rest[0].text && slices.ContainsFunc(p.main, func(w word) bool { return w.text == first })
}

// isIdentifier reports whether an object is a name or, like fork, a singular noun that would
// need an article if it were used as an ordinary word.
func isIdentifier(object []word) bool {
	w := object[0]
	return w.named() || strings.ContainsAny(w.text, "0123456789_-./()") || len(object) == 1 && !w.in("DET") && !isPlural(w) && !isAbstract(w)
}

// isCommand reports whether words begin with a verb: sort a list, installing packages.
func isCommand(words []word) bool {
	if len(words) < 2 || words[0].pauses() {
		return false
	}
	first, next := words[0], words[1]
	switch {
	case first.in("VERB"):
		return true
	case first.closed() || substances[first.is] || isPlural(first):
		return false
	case strings.HasSuffix(first.is, "ing"):
		return len(first.is) > 5 && (next.in("DET") || next.in("PREP") || isPlural(next) || next.named())
	}
	return first.is != "" && (next.in("DET") || next.in("PARTICLE") || len(words) > 2 && next.is == "in" && words[2].is == "to")
}

// closed reports whether w is of a class of function words.
func (w word) closed() bool {
	return slices.ContainsFunc([]string{"DET", "AUX", "PRO", "PREP", "ASK", "ALL", "BUT", "ME", "DENY", "EMPTY", "PARTICLE"}, w.in)
}

func areClosed(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !w.closed() })
}

// isCircumstance reports whether the object that begins at index i names a means, circumstance
// or permission in general: without a network, without root access.
func isCircumstance(words []word, i int) bool {
	if i < len(words) && (words[i].is == "a" || words[i].is == "an" || words[i].is == "any") {
		i++
	}
	for n := 0; n < 3 && i < len(words) && !words[i].closed(); n++ {
		last := i+1 == len(words) || words[i].pauses() || words[i+1].closed() || words[i+1].isConjunction()
		if last {
			return words[i].in("CIRCUMSTANCE")
		}
		i++
	}
	return false
}
