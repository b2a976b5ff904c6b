package suggest

import (
	"strings"
	"unicode"
)

// The closed word classes of English, as far as they indicate where a noun is.
var (
	determiners  = set("a an the this that these those his her its their our my your no any some each every another two three four five six seven eight nine ten many several few both all")
	prepositions = set("of with without in on at by for from into onto under over above below behind beside between among around near along across through during before after against about to as than like per via until upon toward towards within inside outside up down off out")
	joints       = set("and or but nor while where when which who whose that because if so then is are was were be been has have had can will would may must do does did not")
	others       = set("i me we us you he him she it they them there here what how why very too also only just even still yet again more most less least much such own same other others one ones not never always often first last next new old good best better well now today each back away made make makes making got get gets goes go going come comes came take takes took taken put set use uses used using see seen shows show shown has having being am let lets every thing things way ways kind sort lot bit part parts etc half day days end left right side time times piece year years minute minutes hour hours number numbers name names person group example list case line lines top front background middle bottom www http https com org html pdf file files page pages")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// sign stands for any punctuation between words.
const sign = "."

// cut splits a text into words in lower case, with signs between them.
func cut(text string) []string {
	var out []string
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		for field != "" {
			end := strings.IndexFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' })
			switch {
			case end < 0:
				end = len(field)
				fallthrough
			case end > 0:
				word, _, _ := strings.Cut(strings.ReplaceAll(field[:end], "’", "'"), "'")
				if word = strings.Trim(word, "-"); word == "" {
					word = sign
				}
				out, field = append(out, word), field[end:]
			default:
				out = append(out, sign)
				field = strings.TrimLeftFunc(field, func(r rune) bool { return !unicode.IsLetter(r) })
			}
		}
	}
	return out
}

// isContent reports whether a word may name something.
func isContent(w string) bool {
	switch {
	case w == sign, len(w) < 3, len(w) > 24, strings.Contains(w, "-"), determiners[w], prepositions[w], joints[w], others[w]:
		return false
	}
	for _, end := range []string{"ly", "ing", "ed", "ous", "ful", "able"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return false
		}
	}
	return true
}

// isNoun reports whether the token at i is a noun: the last of a title's phrase, or after
// a determiner or preposition, possibly with an adjective, and not followed by another
// content word.
func isNoun(tokens []string, i int, title bool) bool {
	next, before := sign, sign
	if i+1 < len(tokens) {
		next = tokens[i+1]
	}
	if i > 0 {
		before = tokens[i-1]
	}
	if next != sign && !prepositions[next] && !joints[next] {
		return false
	}
	if before == "to" {
		return false
	}
	return title || determiners[before] || prepositions[before]
}
