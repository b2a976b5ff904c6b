package nl

import (
	"slices"
	"strings"
)

// expand gives every item what only one of them has and all share: words before the first
// (hotels in Rome or Florence), words behind the last (books or films about war), and the
// noun of adjectives (red or blue cars).
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
		head, rest = max(0, head-1), len(last) // trips by train or by bus
	case slices.ContainsFunc(parts[1:len(parts)-1], func(p []word) bool { return has(p, "PREP") }),
		head > 0 && rest < len(last) && sameKind(first[head-1], last[rest]),                                   // books about war or films about space
		isParticiple(last[0]) && !strings.HasSuffix(last[0].is, "ing") && len(last) > 1 && last[1].in("PREP"): // comedies or shot in Rome
		return withPrefix(parts, prefix)
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
	if how != joined {
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

func withPrefix(parts [][]word, prefix []word) [][]word {
	out := make([][]word, len(parts))
	for i, part := range parts {
		out[i] = slices.Concat(prefix, part)
	}
	return out
}

// sameKind reports whether two prepositions lead to the same: what something is about.
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

// shareNoun gives adjectives the noun that stands behind the last of them, and, unless it is
// strict, nouns that seem to be used as such: apple or cherry pie.
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
	for _, part := range parts[:len(parts)-1] {
		words := bare(part)
		switch {
		case len(words) != 1:
			return
		case isAdjective(words[0]):
		case strict, article, isPlural(words[0]), isAdjective(last[0]), !isPlural(noun[len(noun)-1]) && !kinds[noun[len(noun)-1].is]:
			return
		}
	}
	for i, part := range parts[:len(parts)-1] {
		if isAdjective(part[len(part)-1]) {
			parts[i] = slices.Concat(part, noun)
		} else {
			parts[i] = append(slices.Clone(part), noun[len(noun)-1]) // stroke or heart attack symptoms
		}
	}
}
