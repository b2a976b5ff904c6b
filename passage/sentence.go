package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences splits a line of prose into sentences, without the spaces between them. When in
// doubt it does not split: a passage with two sentences too many is better than one that
// ends with "Dr."
func sentences(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isEnd(r) {
			i += size
			continue
		}
		mark := i // the first of one or more marks: ?! or ...
		wide := false
		for i < len(s) {
			r, size = utf8.DecodeRuneInString(s[i:])
			if !isEnd(r) && !isCloser(r) {
				break
			}
			wide = wide || isWideEnd(r)
			i += size
		}
		if i == len(s) || !wide && !endsAt(s, start, mark, i) {
			continue
		}
		out = append(out, s[start:i])
		for i < len(s) && s[i] == ' ' {
			i++
		}
		start = i
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// endsAt reports whether the marks in s[mark:next] end the sentence that starts at start.
func endsAt(s string, start, mark, next int) bool {
	if s[next] != ' ' {
		return false // 3.14, example.com, ...and
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[next:], " \"'“‘«„([¿¡"))
	if unicode.IsLower(r) {
		return false // "Really?" he said; etc. and so on
	}
	if s[mark:next] != "." {
		return true
	}
	word := s[start:mark]
	word = word[strings.LastIndexByte(word, ' ')+1:]
	word = strings.TrimLeft(word, "\"'“‘«„([¿¡")
	return !isAbbreviation(word, unicode.IsDigit(r))
}

// isAbbreviation reports whether a dot after word belongs to it: initials such as J., words
// with dots inside such as U.S., ordinals of one or two digits (3. Mai), and common
// abbreviations.
func isAbbreviation(word string, beforeNumber bool) bool {
	switch {
	case word == "": // . . .
		return true
	case utf8.RuneCountInString(word) == 1 && word != "I":
		return true
	case strings.Contains(word, "."):
		return true
	case len(word) <= 2 && strings.Trim(word, "0123456789") == "":
		return true
	}
	word = strings.ToLower(word)
	return beforeName[word] || beforeNumber && beforeDigit[word]
}

// Abbreviations in English, German, French, Spanish and Italian: those before names and
// other words, and those that are also words (no, art, sat) unless a number follows.
var (
	beforeName = setOf(`
		mr mrs ms dr prof rev hon st gen capt lt sgt gov sen messrs mmes mme mlle hr fr frl dipl ing
		sra srta dott sig vs cf ca approx viz resp fig figs eq eqs dept univ
		bzw vgl bspw sog evtl ggf inkl zzgl hrsg`)
	beforeDigit = setOf(`
		no nos nr num núm pp pág págs sec ch chap vol vols ed eds art par ref refs tab app al bd abs
		jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isEnd runs for every character, hence the comparisons before the search.
func isEnd(r rune) bool {
	return r == '.' || r == '!' || r == '?' || r > unicode.MaxASCII && (strings.ContainsRune("…؟۔।॥", r) || isWideEnd(r))
}

// isWideEnd reports whether r is a full stop or similar mark of a script without spaces.
func isWideEnd(r rune) bool { return strings.ContainsRune("。！？｡", r) }

func isCloser(r rune) bool { return strings.ContainsRune("\"'”’»)]」』）】》", r) }
