// Package words looks at texts as words: how they are cut into words and stems.
// It knows no vectors and no documents.
package words

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stems are the stems of a text's words, in order: letters and digits in a row, in
// lower case, by Porter's second English stemmer. What follows an apostrophe is
// dropped (the dog's is dog).
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

// Stem is the stem of a word in lower case.
func Stem(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
