package ingest

import (
	"regexp"
	"strings"
)

// nameSection matches the heading NAME of a manual page, near its beginning, as source
// (.SH NAME, .Sh NAME) or formatted, and the lines of the section.
var nameSection = regexp.MustCompile(`(?m)^(?:\.S[Hh][ \t]+"?NAME"?|NAME)[ \t]*\r?\n((?:(?:[ \t]+\S|\.[BIN]|[^.\s]).*\r?\n?){1,4})`)

// roff matches the macros and escapes of manual pages that a name line may have.
var roff = regexp.MustCompile(`(?m)^\.(?:Nm|[BI]R?|RB|RI)[ \t]+|\\f(?:\[\w*\]|\(\w\w|\w)|\\&`)

// manTitle returns the line under NAME of a manual page, such as "socket - create an endpoint",
// or an empty string if the text is not a manual page.
func manTitle(text string) string {
	const near, most = 4000, 200
	m := nameSection.FindStringSubmatch(text[:min(near, len(text))])
	if m == nil {
		return ""
	}
	section := strings.ReplaceAll(m[1], "\n.Nd ", " - ")
	section = strings.ReplaceAll(roff.ReplaceAllString(section, ""), `\-`, "-")
	title := strings.Join(strings.Fields(section), " ")
	if name, what, ok := strings.Cut(title, " - "); !ok || name == "" || what == "" || len(title) > most {
		return ""
	}
	return title
}
