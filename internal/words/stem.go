package words

import (
	"strings"
	"unicode"
)

// Stems returns the stems of a text's words, in order. Words are runs of letters and digits in
// lower case; an apostrophe and the letters after it are dropped, so dog's becomes dog.
func Stems(text string) []string {
	var out []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	}) {
		word, _, _ = strings.Cut(strings.ReplaceAll(word, "’", "'"), "'")
		if word != "" {
			out = append(out, Stem(word))
		}
	}
	return out
}

// Stem strips the plural ending of a lower-case English word. Stronger stemming does harm:
// Porter's stemmer reduces musical to music.
func Stem(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 4 && strings.HasSuffix(word, "es") && hisses(word[:len(word)-2]):
		return word[:len(word)-2]
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// hisses reports whether a noun forms its plural with es.
func hisses(word string) bool {
	for _, end := range []string{"sh", "ch", "x", "ss", "zz"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// forms returns the words with the given stem, including the stem itself.
func forms(stem string) []string {
	out := []string{stem}
	candidates := []string{stem + "s", stem + "es"}
	if strings.HasSuffix(stem, "y") {
		candidates = append(candidates, stem[:len(stem)-1]+"ies")
	}
	for _, c := range candidates {
		if Stem(c) == stem {
			out = append(out, c)
		}
	}
	return out
}
