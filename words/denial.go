package words

import "strings"

// deny tells for each word of a text whether it is said to be absent: "free of nuts",
// "there is no lift", "without a leash". The rules look at cues (cues.go) and at where
// the clause ends; the cues themselves are not denied.
func deny(tokens []token) []bool {
	denied := make([]bool, len(tokens))
	left := 0       // how far the denial reaches still
	before := false // something is denied in the sentence already
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		if t.sign && strings.ContainsAny(t.word, ".!?;") {
			before = false
		}
		if n := match(exceptions, tokens[i:]); n > 0 && before { // never, except in the rain
			i, left = i+n, 0
			continue
		}
		if n := match(freed, tokens[i:]); n > 0 && i > 0 && !tokens[i-1].sign {
			denied[i-1] = true
			i += n
			continue
		}
		if n := match(missing, tokens[i:]); n > 0 {
			for j := i - 1; j >= 0 && i-j <= reach && !ends(tokens, j); j-- {
				denied[j] = !tokens[j].sign
			}
			i, left = i+n, 0
			continue
		}
		if n := match(mere, tokens[i:]); n > 0 {
			i, left = i+n, 0
			continue
		}
		if n := max(match(denials, tokens[i:]), match(exceptions, tokens[i:])); n > 0 {
			i, left, before = i+n, reach, true
			continue
		}
		switch {
		case left == 0:
		case ends(tokens, i):
			left = 0
		case !t.sign:
			denied[i] = true
			left--
		}
		i++
	}
	return denied
}

// ends reports whether a clause ends at a word or sign.
func ends(tokens []token, i int) bool {
	t := &tokens[i]
	switch {
	case t.sign:
		return t.word != "-" && t.word != "'" && t.word != "\"" && t.word != "/"
	case joints[t.word]:
		return i+1 < len(tokens) && beginnings[tokens[i+1].word]
	}
	return turns[t.word]
}

// match is the length of the longest phrase that tokens begin with; 0 of none.
func match(known map[string][][]string, tokens []token) int {
	best := 0
	for _, p := range known[tokens[0].word] {
		if len(p) > best && len(p) <= len(tokens) && begins(tokens, p) {
			best = len(p)
		}
	}
	return best
}

func begins(tokens []token, words []string) bool {
	for i, w := range words {
		if tokens[i].word != w {
			return false
		}
	}
	return true
}

// phrases are lists of words by their first word.
func phrases(all ...string) map[string][][]string {
	out := map[string][][]string{}
	for _, p := range all {
		list := strings.Fields(p)
		out[list[0]] = append(out[list[0]], list)
	}
	return out
}

func set(words ...string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}
