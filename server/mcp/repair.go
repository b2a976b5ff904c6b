package mcp

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

const (
	repairBytes = 500 // longer formulas are not repaired
	repairEdits = 3   // nor are those that need more edits

	blanks = " \t\r\n"
)

// repair looks for a formula that is a few small edits away from a text that is
// none.
func repair(text string) (string, bool) {
	if len(text) > repairBytes || !utf8.ValidString(text) {
		return "", false
	}
	texts := []string{text}
	for range repairEdits {
		var next []string
		for _, text := range texts {
			var e *query.SyntaxError
			if _, err := query.ParseFormula(text); !errors.As(err, &e) {
				continue
			}
			for _, edited := range edits(text, e.Off) {
				f, err := query.ParseFormula(edited)
				if err == nil && f.Root != nil {
					return edited, true
				}
				next = append(next, edited)
			}
		}
		texts = next
	}
	return "", false
}

// symbols are how other languages write the operators.
var symbols = strings.NewReplacer("&&", " AND ", "||", " OR ", " & ", " AND ", " | ", " OR ", "!", " NOT ")

// edits are what could be meant by a text that is wrong at some byte, the most
// likely first.
func edits(text string, off int) []string {
	var out []string
	add := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" && s != text {
			out = append(out, s)
		}
	}
	if strings.ContainsAny(text, "&|!") {
		add(symbols.Replace(text))
	}
	if strings.Count(text, `"`)%2 == 1 {
		add(text + `"`)
	}
	if strings.Count(text, "(") > strings.Count(text, ")") {
		add(text + ")")
	}
	before, after := strings.TrimRight(text[:off], blanks), text[off:]
	if head, ok := strings.CutSuffix(before, "OR"); ok {
		add(head + "AND " + after) // a condition beside text
	}
	if end := tokenEnd(after); end > 0 {
		if head, ok := strings.CutSuffix(before, "^"); ok {
			add(head + " " + after[end:]) // the weight is wrong
		}
		add(text[:off] + " " + after[end:])
	}
	if start := strings.LastIndexAny(before, blanks) + 1; start < len(before) {
		add(before[:start] + " " + after)
	}
	return out
}

// tokenEnd is where the word or the sign that a text begins with ends.
func tokenEnd(text string) int {
	if text == "" {
		return 0
	}
	if strings.ContainsRune(`()"^`, rune(text[0])) {
		return 1
	}
	if end := strings.IndexAny(text, blanks+`()"`); end > 0 {
		return end
	}
	return len(text)
}
