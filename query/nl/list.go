package nl

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// manner is the role of a list.
type manner uint8

const (
	alternatives manner = iota // wanted; "or" separates items, "and" does not
	joined                     // wanted; "and" separates items too
	excluded                   // every item is excluded
)

// isConjunction reports whether w separates items.
func (w word) isConjunction() bool { return w.is == "and" || w.is == "or" || w.is == "nor" }

// items splits words at conjunctions and commas, but not inside idioms and "between a and b".
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
func isAny(words []word) bool {
	_, _, or := items(words)
	return or > 0
}

// list returns the atoms of a list, or one atom if words are not a list.
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
	case len(parts) < 2, slices.ContainsFunc(parts, areClosed): // up or down
		return whole
	case how == excluded:
		if and > 0 && or == 0 && has(parts[0], "PREP") || and+or == 0 && !areShort(parts) || slices.ContainsFunc(parts, beginsTitle) {
			return whole
		}
		for i, part := range parts {
			if len(part) > 1 && part[0].in("POSS") {
				parts[i] = part[1:]
			}
		}
		return atoms(expand(parts, nil, excluded))
	case how == joined && and > 0 && or == 0 && !has(parts[len(parts)-1], "PREP"):
		p.sure = true
		return atoms(expand(parts, nil, joined))
	case or > 0 && and == 0 && !p.question && !hasVerb(words) && !has(words, "DENY"): // a denial that no rule has read
		p.understood, p.sure = true, true
		return atoms(expand(parts, nil, alternatives))
	case or > 0 && and > 0:
		doubt := fmt.Sprintf("%q mixes and with or, which can be read two ways", join(words))
		p.notes, p.doubts = append(p.notes, doubt), append(p.doubts, doubt)
	}
	return whole
}

// cutBoth returns the words before "both" and the two items after it.
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

// beginsTitle reports whether words begin with a capitalized determiner: The Lexus and the Olive
// Tree, Man and His Symbols.
func beginsTitle(words []word) bool {
	return words[0].is == "" && members["DET"][words[0].folded()]
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

// bare returns words without leading articles.
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

// newAtom returns an atom of the words without leading articles.
func newAtom(words []word) query.Node { return &query.Atom{Text: join(bare(words))} }
