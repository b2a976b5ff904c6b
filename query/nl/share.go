package nl

import (
	"slices"
	"strings"
)

// expand completes the items of a list with the words they share: words before the first item
// (hotels in Rome or Florence), words after the last (books or films about war), the noun of
// adjectives (red or blue cars) and the object of verbs (create or delete a file).
func expand(parts [][]word, prefix []word, how manner) [][]word {
	for i, part := range parts {
		parts[i] = slices.Clone(part)
		parts[i][len(part)-1].mark = ""
	}
	first, last := parts[0], parts[len(parts)-1]
	head := lastPreposition(first) + 1
	rest := firstPreposition(last)
	switch {
	case slices.ContainsFunc(parts[1:], func(p []word) bool { return p[0].in("PREP") }):
		head, rest = max(0, head-1), firstPreposition(last) // trips by train or by bus
	case slices.ContainsFunc(parts[1:len(parts)-1], func(p []word) bool { return has(p, "PREP") }),
		head > 0 && rest < len(last) && sameKind(first[head-1], last[rest]),                                   // books about war or films about space
		isParticiple(last[0]) && !strings.HasSuffix(last[0].is, "ing") && len(last) > 1 && last[1].in("PREP"): // comedies or shot in Rome
		head, rest, how = 0, len(last), joined
	case how == joined:
		rest = len(last) // robots and fauna of India
	}
	if head > 0 && first[head-1].is == "of" && len(bare(last[:rest])) > 1 {
		head = 0 // house of cards or west wing
	}
	shared, tail := first[:head], last[rest:]
	out := make([][]word, len(parts))
	for i, part := range parts {
		if i == 0 {
			part = part[head:]
		}
		if i == len(parts)-1 {
			part = part[:len(part)-len(tail)]
		}
		out[i] = part
	}
	if how != joined && (how == excluded || !shareObject(out)) {
		shareNoun(out, how == excluded)
	}
	article := out[0][0]
	for i, part := range out {
		words := slices.Concat(prefix, shared)
		if i > 0 && len(shared) > 0 && article.in("ART") && !part[0].in("DET") && !part[0].in("PREP") && !part[0].named() {
			words = append(words, article)
		}
		out[i] = slices.Concat(words, part, tail)
	}
	return out
}

// sameKind reports whether two prepositions introduce the same kind of phrase.
func sameKind(a, b word) bool {
	return a.is == b.is || a.in("TOPIC") && b.in("TOPIC")
}

func lastPreposition(words []word) int {
	for i := len(words) - 2; i >= 0; i-- {
		if words[i].in("PREP") {
			return i
		}
	}
	return -1
}

func firstPreposition(words []word) int {
	for i := 1; i < len(words)-1; i++ {
		if words[i].in("PREP") || isParticiple(words[i]) && words[i+1].in("PREP") {
			return i
		}
	}
	return len(words)
}

// shareObject gives all verbs the object of the last one and reports whether the parts are
// verbs: create or delete a directory, creating or deleting files.
func shareObject(parts [][]word) bool {
	last := parts[len(parts)-1]
	if len(last) < 2 || last[0].closed() {
		return false
	}
	gerunds, verbs := isGerund(last[0]), last[0].in("VERB")
	for _, part := range parts[:len(parts)-1] {
		if len(part) != 1 || part[0].closed() || isPlural(part[0]) {
			return false
		}
		gerunds, verbs = gerunds && isGerund(part[0]), verbs && part[0].in("VERB")
	}
	if !gerunds && !verbs && !last[1].in("DET") {
		return false
	}
	for i, part := range parts[:len(parts)-1] {
		parts[i] = slices.Concat(part, last[1:])
	}
	return true
}

func isGerund(w word) bool { return len(w.is) > 5 && strings.HasSuffix(w.is, "ing") }

// isName reports whether w looks like a name: LZMA, bzip2.
func isName(w word) bool { return w.named() || strings.ContainsAny(w.text, "0123456789") }

// shareNoun gives adjectives the noun of the last part and, unless strict, does so for nouns and
// names used as modifiers: apple or cherry pie, bzip2 or LZMA compression.
func shareNoun(parts [][]word, strict bool) {
	last := bare(parts[len(parts)-1])
	if len(last) < 2 || last[len(last)-1].named() && !last[0].named() {
		return
	}
	noun := last[1:]
	if noun[0].named() {
		return
	}
	article := len(last) < len(parts[len(parts)-1])
	head := noun[len(noun)-1]
	names := isName(last[0])
	for _, part := range parts[:len(parts)-1] {
		words := bare(part)
		switch {
		case len(words) != 1:
			return
		case isAdjective(words[0]):
		case strict, article, isPlural(words[0]) && !isName(words[0]), isAdjective(last[0]):
			return
		case !(names && isName(words[0])) && !isPlural(head) && !kinds[head.is] && !isAbstract(head):
			return
		}
		names = names && isName(words[0])
	}
	for i, part := range parts[:len(parts)-1] {
		if names || isAdjective(part[len(part)-1]) {
			parts[i] = slices.Concat(part, noun)
		} else {
			parts[i] = append(slices.Clone(part), head) // stroke or heart attack symptoms
		}
	}
}
