// Package doc has those pages of the documentation that the program shows or sends.
package doc

import (
	_ "embed" // for the page
	"strings"
)

//go:embed query.md
var query string

// Language is the query language on one page.
func Language() string {
	page, _, _ := strings.Cut(query, "\n## ")
	return page
}
