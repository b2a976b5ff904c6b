package mcp

import (
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// remedy suggests a correction of an invalid query or, if it finds none, describes queries.
func remedy(e *query.SyntaxError) string {
	for _, mended := range slips(e) {
		if _, err := query.ParseFormula(mended); err == nil {
			return "Perhaps: " + mended
		}
	}
	return "A correct query: " + sample + "\n" + grammar
}

const sample = `(beach OR lake) AND sunset AND NOT people AND year:>=2015`

const grammar = `AND, OR, NOT (capitals) join atoms; words side by side are one atom; ( ) group; quote text that holds ( ) , : ^ or an operator; field:value and field:>=n are conditions, joined by AND.`

// foreign maps operators of other languages.
var foreign = map[string]string{"&&": "AND", "||": "OR", "!": "NOT"}

// slips returns corrections of a query at the position of its error, the likeliest first.
func slips(e *query.SyntaxError) []string {
	at := e.Span()
	before, fault, after := strings.TrimSpace(e.Query[:at.Start]), e.Query[at.Start:at.End], strings.TrimSpace(e.Query[at.End:])
	rest, field := withoutLast(before)
	switch {
	case len(e.Query) > query.MaxBytes:
		return nil
	case foreign[fault] != "":
		return []string{join(before, foreign[fault], after)}
	case fault == "AND", fault == "OR", fault == ")", fault == "”", strings.HasPrefix(fault, "^"): // superfluous
		return []string{join(before, after)}
	case strings.HasPrefix(fault, "!="):
		return []string{join(rest, "NOT", field+fault[len("!="):], after)}
	case fault == "" && after == "": // operators at the end
		shorter, _ := withoutLast(rest)
		return []string{rest, shorter}
	case fault == "": // a space after a colon
		return []string{before + after}
	}
	out := []string{e.Query + `"`, e.Query + ")", e.Query + "))"} // not closed
	if text, ok := strings.CutSuffix(before, "OR"); ok {          // a condition as alternative to text
		out = append(out, join(text, "AND", e.Query[at.Start:]))
	}
	if text, ok := strings.CutPrefix(after, "OR"); ok {
		out = append(out, join(e.Query[:at.End], "AND", text))
	}
	return out
}

// join joins the parts that are not empty with spaces.
func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// withoutLast splits off the last word of a text.
func withoutLast(text string) (rest, last string) {
	at := strings.LastIndexByte(text, ' ') + 1
	return strings.TrimSpace(text[:at]), text[at:]
}
