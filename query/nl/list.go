package nl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// manner is how the items of a list are meant.
type manner uint8

const (
	alternatives manner = iota // wanted: or joins, and does not
	joined                     // wanted: and joins too
	excluded                   // each of them is not wanted
)

// isConjunction reports whether w joins items.
func (w word) isConjunction() bool { return w.is == "and" || w.is == "or" || w.is == "nor" }

// items cuts words at conjunctions, and at commas where there are any. Idioms are not cut,
// and neither is "between a and b".
func items(words []word) (out [][]word, and, or int) {
	from, between := 0, false
	cut := func(to, next int) {
		if to > from {
			out = append(out, words[from:to])
		}
		from = next
	}
	for i := 0; i < len(words); i++ {
		if n := idiomAt(words, i); n > 0 {
			i += n - 1
		}
		w := words[i]
		switch {
		case w.is == "between":
			between = true
		case w.is == "and" && between:
			between = false
		case i > 0 && i < len(words)-1 && w.isConjunction():
			if w.is == "and" {
				and++
			} else {
				or++
			}
			cut(i, i+1)
		}
		if i < len(words)-1 && words[i].mark == "," {
			cut(i+1, i+1)
		}
	}
	cut(len(words), len(words))
	return out, and, or
}

// isAny reports whether the items of a wanted list are alternatives.
func (p *parser) isAny(words []word) bool {
	_, _, or := items(words)
	return or > 0
}

// list makes atoms of a list. What is no list is one atom.
func (p *parser) list(words []word, how manner) []query.Node {
	for len(words) > 1 && (words[0].is == "either" || words[0].is == "neither" || words[0].is == "both" && how == joined) {
		words = words[1:]
	}
	whole := []query.Node{newAtom(words)}
	if prefix, pair := cutBoth(words); pair != nil {
		p.understood, p.sure = true, true
		return atoms(expand(pair, prefix, joined))
	}
	parts, and, or := items(words)
	switch {
	case len(parts) < 2:
		return whole
	case how == excluded:
		if and > 0 && or == 0 && hasPreposition(parts[0]) || and+or == 0 && !areShort(parts) {
			return whole
		}
		return atoms(expand(parts, nil, excluded))
	case how == joined && and > 0 && or == 0 && !hasPreposition(parts[len(parts)-1]):
		p.sure = true
		return atoms(expand(parts, nil, joined))
	case or > 0 && and == 0 && !p.question && !hasVerb(words) && !slices.ContainsFunc(words, denial):
		p.understood, p.sure = true, true
		return atoms(expand(parts, nil, alternatives))
	case or > 0 && and > 0:
		doubt := fmt.Sprintf("%q mixes and with or, which can be read two ways", join(words))
		p.notes, p.doubts = append(p.notes, doubt), append(p.doubts, doubt)
	}
	return whole
}

// cutBoth is what stands before both, and the two items behind it.
func cutBoth(words []word) (prefix []word, pair [][]word) {
	i := slices.IndexFunc(words, func(w word) bool { return w.is == "both" })
	if i < 0 || i == len(words)-1 {
		return nil, nil
	}
	parts, and, or := items(words[i+1:])
	if and != 1 || or > 0 || len(parts) != 2 {
		return nil, nil
	}
	return words[:i], parts
}

func areShort(parts [][]word) bool {
	return !slices.ContainsFunc(parts, func(p []word) bool { return len(p) > 3 })
}

func hasVerb(words []word) bool {
	for i, w := range words {
		if w.in("AUX") || w.is == "to" && i+1 < len(words) && !isPlace(words, i+1) {
			return true
		}
	}
	return false
}

// denial reports whether a word denies what follows; a list with one that no rule has read
// is not understood.
func denial(w word) bool { return set("without except excluding not no never nor")[w.is] }

func hasPreposition(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.in("PREP") })
}

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
	case slices.ContainsFunc(parts[1:len(parts)-1], hasPreposition),
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
	shareNoun(out, how == excluded)
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
	topic := set("about on of regarding concerning")
	return a.is == b.is || topic[a.is] && topic[b.is]
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

// bare is words without an article before them.
func bare(words []word) []word {
	for len(words) > 1 && words[0].in("ART") {
		words = words[1:]
	}
	return words
}

func atoms(parts [][]word) (out []query.Node) {
	for _, part := range parts {
		out = append(out, newAtom(part))
	}
	return out
}

// newAtom is an atom of the words, without a leading article.
func newAtom(words []word) query.Node { return &query.Atom{Text: join(bare(words))} }
