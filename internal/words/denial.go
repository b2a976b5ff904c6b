package words

import "strings"

// deny reports for each token whether the text states that it is absent: "free of nuts",
// "there is no lift", "does not support IPv6". It denies the noun phrase next to a cue
// (cues.go). It denies nothing in conditions and prohibitions or after other negated verbs: a
// page with "must not attempt network access" may well be about networks.
func deny(tokens []token) []bool {
	denied := make([]bool, len(tokens))
	supposed := false // the clause is a condition
	var n int         // length of the cue at i
	for i := 0; i < len(tokens); i += max(n, 1) {
		supposed = suppositions[tokens[i].word] || supposed && !concludes(tokens[i:])
		from, to := 0, 0
		if n = match(freed, tokens[i:]); n > 0 {
			from, to = max(0, i-1), i
		} else if n = match(missing, tokens[i:]); n > 0 {
			from, to = subject(tokens, i)
		} else if n = match(harmless, tokens[i:]); n > 0 {
			continue
		} else if n = match(exceptions, tokens[i:]); n > 0 && near(universals, tokens[:i]) {
			from, to = i+n, phrase(tokens, i+n)
		} else if n = match(denials, tokens[i:]); n > 0 {
			from, to = object(tokens, i, i+n)
		}
		for j := from; j < to && !supposed; j++ {
			denied[j] = !tokens[j].sign && !modifies(tokens[j:])
		}
	}
	return denied
}

// concludes reports whether a condition ends where tokens begin.
func concludes(tokens []token) bool {
	t := &tokens[0]
	if t.word == "," { // "if it exists, but has no name" continues
		return len(tokens) == 1 || !joints[tokens[1].word]
	}
	return ends(t) || t.word == "then"
}

// near reports whether one of the last words before a cue, in the same clause, is in a set.
func near(words map[string]bool, tokens []token) bool {
	for i := len(tokens) - 1; i >= 0 && i >= len(tokens)-4 && !stops(&tokens[i]); i-- {
		if words[tokens[i].word] {
			return true
		}
	}
	return false
}

// modifies reports whether tokens start with a compound adjective such as thread-safe.
func modifies(tokens []token) bool {
	return len(tokens) > 2 && tokens[1].word == "-" && adjectives[tokens[2].word]
}

// object returns the noun phrase that the denial in tokens[cue:i] denies.
func object(tokens []token, cue, i int) (from, to int) {
	word := tokens[cue].word
	if obligations[word] || near(obligations, tokens[:cue]) {
		return 0, 0
	}
	if word == "none" { // none of the rooms have
		i = phrase(tokens, i)
	}
	for i < len(tokens) && strings.HasSuffix(tokens[i].word, "ly") {
		i++
	}
	switch {
	case i == len(tokens):
		return 0, 0
	case nominal[word]:
		if word == "without" && strings.HasSuffix(tokens[i].word, "ing") {
			return 0, 0
		}
	case commands(tokens, cue):
		return 0, 0
	case possession[Stem(tokens[i].word)]:
		i++
	case !articles[tokens[i].word]:
		return 0, 0
	}
	to = phrase(tokens, i)
	switch {
	case to == len(tokens):
	case obligations[tokens[to].word] || possession[tokens[to].word]: // no program should, no program has
		return 0, 0
	case leads(tokens, cue) && !ends(&tokens[to]): // Without arguments, it prints
		return 0, 0
	}
	return i, to
}

// leads reports whether the denial at tokens[i] starts a sentence with "without" or "with no".
func leads(tokens []token, i int) bool {
	if i > 0 && tokens[i-1].word == "with" {
		i--
	}
	return strings.HasPrefix(tokens[i].word, "with") && (i == 0 || ends(&tokens[i-1]))
}

// commands reports whether the negation at tokens[i] is part of a command: "Do not include
// the name."
func commands(tokens []token, i int) bool {
	if i > 0 && tokens[i-1].word == "do" {
		i--
	}
	return (tokens[i].word == "do" || tokens[i].word == "don") && (i == 0 || tokens[i-1].sign)
}

// phrase returns the end of the noun phrase that starts at tokens[i].
func phrase(tokens []token, i int) int {
	end, one := min(len(tokens), i+reach), false
	if i < end && articles[tokens[i].word] {
		one = tokens[i].word == "a" || tokens[i].word == "an"
		i++
	}
	for first := i; i < end; i++ {
		word := tokens[i].word
		joined := i > first && i+1 < len(tokens) && !bounds(&tokens[i+1])
		switch {
		case joined && word == "or":
		case joined && word == "and" && (i+2 == len(tokens) || stops(&tokens[i+2])):
		case i > first && articles[word]: // the word before is a verb
			return i - 1
		case bounds(&tokens[i]):
			return i
		case one && i > first && Stem(word) != word: // a leash runs
			return i
		case i > first && len(word) > 4 && strings.HasSuffix(word, "ed") && !strings.HasSuffix(tokens[i-1].word, "ly"):
			return i
		}
	}
	return i
}

// subject returns the noun phrase that ends before tokens[i], a denial of its predicate.
func subject(tokens []token, i int) (from, to int) {
	for i > 0 && (auxiliaries[tokens[i-1].word] || strings.HasSuffix(tokens[i-1].word, "ly")) {
		i--
	}
	from, to = i, i
	for ; from > 0 && from > i-reach; from-- {
		t := &tokens[from-1]
		switch {
		case t.word == "of" || t.word == "for":
		case places[t.word]: // parking in the street
			to = from - 1
		case auxiliaries[t.word]: // the phrase is part of a predicate
			return 0, 0
		case stops(t) || bounds(t) && (from == 1 || !places[tokens[from-2].word]):
			return from, to
		}
	}
	return from, to
}

// ends reports whether a punctuation token ends a sentence.
func ends(t *token) bool { return t.sign && strings.Contains(".:;!?", t.word) }

// stops reports whether a punctuation token ends a phrase.
func stops(t *token) bool { return t.sign && !strings.Contains("-'’\"“”/_", t.word) }

// bounds reports whether a token cannot occur inside a simple noun phrase.
func bounds(t *token) bool {
	return stops(t) || articles[t.word] || auxiliaries[t.word] || obligations[t.word] || outside[t.word]
}

// match returns the length of the longest phrase that tokens start with, or 0.
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
		if tokens[i].word != w && (w != "'" || tokens[i].word != "’") {
			return false
		}
	}
	return true
}

// phrases indexes lists of words by their first word.
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
