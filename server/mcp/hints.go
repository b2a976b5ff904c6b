package mcp

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// hints are about what parses and is perhaps not meant: operators of other
// languages and in lower case, which are text here.
func hints(f *query.Formula) []string {
	var out []string
	if f.Root == nil {
		return out
	}
	query.Leaves(f.Root, func(leaf query.Node) {
		a, ok := leaf.(*query.Atom)
		if !ok || a.Kind != query.Text {
			return
		}
		for _, word := range strings.Fields(a.Text) {
			switch word {
			case "and", "or", "not", "without", "except":
				out = append(out, fmt.Sprintf("%q is one atom, and %q in it is text: operators are AND, OR and NOT, in capitals", clip(a.Text, 60), word))
				return
			case "<", "<=", ">", ">=", "=":
				out = append(out, fmt.Sprintf("%q is one atom, and %q in it is text: a condition is written without spaces and with a colon, as in year:>=2015", clip(a.Text, 60), word))
				return
			}
		}
	})
	return out
}
