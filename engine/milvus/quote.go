package milvus

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine/remote"
)

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// quote is a text as it stands in an expression.
func quote(text string) string { return `"` + escapes.Replace(text) + `"` }

// quotable reports whether Milvus reads a quoted text as it was. It decodes \u0041 before it
// looks at what a backslash belongs to.
func quotable(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, `\u`) && strings.IndexByte(text, 0) < 0
}

// keyable reports whether a name can stand in brackets behind a field of JSON objects.
// Milvus takes the brackets and quotes off without reading what is between them.
func keyable(name string) bool {
	return name != "" && quotable(name) && !strings.ContainsAny(name, "\"'\\[]\n\r\t")
}

// keywords are those of expressions, which no name of a field can be in one.
var keywords = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "like": true, "is": true, "null": true, "true": true, "false": true,
	"exists": true, "iso": true, "interval": true, "threshold": true, "minimum_should_match": true, "random_sample": true,
	"text_match": true, "phrase_match": true, "match_all": true, "match_any": true, "match_least": true, "match_most": true, "match_exact": true,
}

// nameable reports whether a field can be named in an expression.
func nameable(field string) bool {
	return names.MatchString(field) && !keywords[strings.ToLower(field)]
}

// number is a number as it stands in an expression.
func number(x float64) string {
	if x == float64(int64(x)) && x > -remote.MaxExact && x < remote.MaxExact {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
