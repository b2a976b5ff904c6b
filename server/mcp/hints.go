package mcp

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// hints are about what parses and is perhaps not meant: operators of other
// languages and in lower case, which are text here.
func hints(f *query.Formula) (out []string) {
	for a := range query.Atoms(f.Root) {
		if a.Kind != query.Text {
			continue
		}
		for word := range strings.FieldsSeq(a.Text) {
			var meant string
			switch word {
			case "and", "or", "not", "without", "except":
				meant = "operators are AND, OR and NOT, in capitals"
			case "<", "<=", ">", ">=", "=":
				meant = "a condition is written without spaces and with a colon, as in year:>=2015"
			default:
				continue
			}
			out = append(out, fmt.Sprintf("%q is one atom, and %q in it is text: %s", clip(a.Text, 60), word, meant))
			break
		}
	}
	return out
}
