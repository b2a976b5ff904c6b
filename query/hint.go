package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Hints returns notes on parts that are valid but possibly unintended: operators of other
// languages or in lower case, which are plain text here. Sentences get no hints.
func Hints(n Node) (out []string) {
	for a := range Atoms(n) {
		if a.Kind != Text || isQuoted(a) {
			continue
		}
		const sentence = 8
		words := strings.Fields(a.Text)
		if len(words) > sentence {
			continue
		}
		for _, word := range words {
			var meant string
			switch {
			case word == "&" || word == "|":
				meant = "write AND, OR and NOT"
			case slices.Contains(lowOperators, word):
				meant = "AND, OR and NOT count in capitals"
			case slices.Contains(bareProximity, word):
				meant = "proximity needs a distance, as in heart NEAR/5 attack"
			case strings.Trim(word, "*") != word && strings.Trim(word, "*") != "":
				meant = "a * follows two letters or more of a word, as in thromb*"
			case comparison.MatchString(word):
				meant = "a condition is written without spaces and with a colon, as in year:>=2015"
			default:
				continue
			}
			out = append(out, fmt.Sprintf("%q is one atom, and %q in it is text: %s", clipped(a.Text), word, meant))
			break
		}
	}
	return out
}

// lowOperators are operators in lower case, and their synonyms.
var lowOperators = []string{"and", "or", "not", "without", "except"}

// bareProximity are operators of proximity without their distance.
var bareProximity = []string{"NEAR", "ADJ", "PRE", "NEXT"}

// comparison matches comparisons of other languages, alone or in a word such as
// year>=2015.
var comparison = regexp.MustCompile(`^[<>=]=?$|^[\pL_]([\pL\d_.-]*[\pL\d_])?([<>]=?([\d"']|$)|!?==?([\pL\d"']|$))`)

// isQuoted reports whether an atom was quoted, and is therefore intended as written.
func isQuoted(a *Atom) bool { return a.Pos.End-a.Pos.Start > len(a.Text)+1 }

// clipped shortens a text to fit on a line.
func clipped(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
