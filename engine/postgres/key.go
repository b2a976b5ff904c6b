package postgres

import (
	"regexp"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
)

// key is the column that identifies the rows of a table.
type key struct {
	column string              // the expression of the row t that an index may have
	typ    string              // that texts become before they are compared with it
	is     func(s string) bool // whether a text is one of that type, as the server writes it
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func keyOf(c *column) key {
	name := "t." + quoted(c.Name)
	switch c.typ {
	case "int2", "int4", "int8":
		return key{name, "bigint", func(s string) bool {
			n, err := strconv.ParseInt(s, 10, 64)
			return err == nil && strconv.FormatInt(n, 10) == s
		}}
	case "uuid":
		return key{name, "uuid", uuid.MatchString}
	case "text", "varchar":
		return key{name, "text", storable}
	}
	return key{name + "::text", "text", storable}
}

// those are the ids of refs that can be one.
func (k key) those(refs []engine.Ref) []string {
	out := []string{}
	for _, r := range refs {
		if k.is(r.Key) {
			out = append(out, r.Key)
		}
	}
	return out
}
