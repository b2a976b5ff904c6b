package nl

import (
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/query"
)

// several matches phrases that ask for some items of a list.
var several = patterns("at least NUM of the|these|those? following|these?", "any NUM of the|these|those? following|these?",
	"NUM or more of the|these|those? following|these?", "NUM of the following", "NUM of these")

var numbers = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// atLeast returns the formula of words that ask for some items of a list, such as "at least two
// of wind, solar and hydro", and nil for other words.
func (p *parser) atLeast(words []word) query.Node {
	for i := range words {
		n := longest(several, words, i)
		if n == 0 || i+n == len(words) || p.question {
			continue
		}
		k := 0
		for _, w := range words[i : i+n] {
			if w.in("NUM") {
				if k, _ = strconv.Atoi(w.is); k == 0 {
					k = 1 + slices.Index(numbers, w.is)
				}
			}
		}
		parts, _, _ := items(words[i+n:])
		if k > len(parts) || len(parts) < 2 {
			return nil
		}
		nodes := atoms(expand(parts, words[:i], excluded))
		p.understood, p.sure = true, true
		p.notef("at least %d of: %s", k, texts(nodes))
		return &query.AtLeast{K: k, Parts: nodes}
	}
	return nil
}
