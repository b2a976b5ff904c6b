package words

import (
	"strings"
	"unicode"
)

// Stems are the stems of a text's words, in order: letters and digits in a row, in
// lower case. What follows an apostrophe is dropped (the dog's is dog).
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

// Stem is an English word in lower case without the ending of a plural. More than
// that does harm: Porter's stemmer makes music of musical.
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

// hisses reports whether a noun has its plural in es.
func hisses(word string) bool {
	for _, end := range []string{"sh", "ch", "x", "ss", "zz"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// forms are the words that have a stem, itself among them.
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
