package postgres

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// fields are the places of a table's metadata: columns by name, and the fields of a JSON
// column.
type fields struct {
	columns []column
	beside  *column // nil: there is none
	id      key
	texts   string // the expression of a row's title and text; empty: there is none
}

// where is a filter in SQL, on the row t. It decides as predicate.Passes does on the metadata
// that rows are read with. The tree's shape and the columns become text; all else becomes
// arguments.
func (f *fields) where(filter query.Node, args *arguments) string {
	switch n := filter.(type) {
	case *query.Predicate:
		if ids, ok := remote.Members(n); ok {
			return fmt.Sprintf("%s = ANY(%s::text[]::%s[])", f.id.column, args.add(ids), f.id.typ)
		}
		if n.OnText() {
			return f.candidates(n, args)
		}
		return f.predicate(n, args)
	case *query.Not:
		return "(" + f.where(n.X, args) + ") IS NOT TRUE" // where a column is NULL neither
	case *query.And:
		return f.join(n.Parts, " AND ", args)
	case *query.Or:
		return f.join(n.Parts, " OR ", args)
	}
	return "true"
}

// candidates is true of all rows that may match a pattern. It looks for parts of words, since the
// server's full-text search has other words than we: aspirin/warfarin is one. A text with letters
// that become others without accents is a candidate, too.
func (f *fields) candidates(p *query.Predicate, args *arguments) string {
	pattern, err := p.Pattern()
	if err != nil || f.texts == "" || !query.IsTextField(p.Field) {
		return "true"
	}
	var has func(p *query.Pattern) string
	has = func(p *query.Pattern) string {
		var parts []string
		for _, word := range strings.FieldsFunc(strings.ToLower(p.Words), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '*' && r != '?' }) {
			if word, _, truncated := strings.Cut(strings.ReplaceAll(word, "?", "*"), "*"); truncated {
				parts = append(parts, word)
			} else { // what its forms begin with
				parts = append(parts, strings.TrimSuffix(words.Stem(word), "y"))
			}
		}
		for i, part := range parts {
			if parts[i] = "true"; strings.IndexFunc(part, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
				parts[i] = fmt.Sprintf("%s ILIKE %s::text", f.texts, args.add("%"+part+"%"))
			}
		}
		operator := " AND "
		for _, part := range p.Parts {
			parts = append(parts, has(part))
		}
		if p.Words == "" && p.Within == 0 {
			operator = " OR "
		}
		return "(" + strings.Join(parts, operator) + ")"
	}
	return fmt.Sprintf(`(%s OR %s ~ '[^\t\n\r -~]')`, has(pattern), f.texts)
}

func (f *fields) join(parts []query.Node, operator string, args *arguments) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = f.where(p, args)
	}
	return "(" + strings.Join(texts, operator) + ")"
}

// predicate is true where a value that the field may mean satisfies it, and otherwise false
// or NULL.
func (f *fields) predicate(p *query.Predicate, args *arguments) string {
	var any []string
	for i := range f.columns {
		c := &f.columns[i]
		name := "t." + quoted(c.Name)
		rest, inside := strings.CutPrefix(p.Field, c.Name+".")
		switch {
		case p.Field == c.Name && c.Kind == remote.Object:
			any = append(any, inJSON(name, nil, p, args))
		case p.Field == c.Name:
			any = append(any, c.compare(name, p, args))
		case inside && c.Kind == remote.Object:
			for _, path := range paths(rest) {
				any = append(any, inJSON(name, path, p, args))
			}
		}
	}
	if f.beside != nil {
		for _, path := range paths(p.Field) {
			name := "t." + quoted(f.beside.Name)
			found := fmt.Sprintf("(jsonb_typeof(%s::jsonb) = 'object' AND %s)", name, inJSON(name, path, p, args))
			// Where a column has the name, it stands in front.
			if i := slices.IndexFunc(f.columns, func(c column) bool { return c.Name == path[0] }); i >= 0 {
				found = fmt.Sprintf("(t.%s IS NULL AND %s)", quoted(path[0]), found)
			}
			any = append(any, found)
		}
	}
	if len(any) == 0 {
		return "false"
	}
	return "(" + strings.Join(any, " OR ") + ")"
}

// compare is a predicate on a column that is not JSON, of the row t.
func (c *column) compare(name string, p *query.Predicate, args *arguments) string {
	if c.element != "" {
		return fmt.Sprintf("EXISTS (SELECT FROM unnest(%s) e WHERE %s)", name, (&column{typ: c.element}).compare("e", p, args))
	}
	operator := p.Op.String()
	x, number := predicate.ParseNumber(p.Value)
	switch c.typ {
	case "int2", "int4", "int8":
		if number && x == math.Trunc(x) && math.Abs(x) < 1<<53 { // by an index if there is one
			return fmt.Sprintf("%s %s %s::bigint", name, operator, args.add(int64(x)))
		}
		if number {
			return fmt.Sprintf("%s::float8 %s %s::float8", name, operator, args.add(x))
		}
		return fmt.Sprintf(`%s::text COLLATE "C" %s %s::text`, name, operator, args.add(p.Value))
	case "float4", "float8", "numeric":
		if number { // a float4 is the number that it is written as
			return fmt.Sprintf("%s::text::float8 %s %s::float8", name, operator, args.add(x))
		}
		return fmt.Sprintf(`%s::text COLLATE "C" %s %s::text`, name, operator, args.add(p.Value))
	case "bool", "uuid":
		return fmt.Sprintf(`%s::text COLLATE "C" %s %s::text`, name, operator, args.add(p.Value))
	case "date", "time", "timestamp", "timestamptz": // as JSON has them
		return fmt.Sprintf(`(to_json(%s) #>> '{}') COLLATE "C" %s %s::text`, name, operator, args.add(p.Value))
	}
	if p.Op == query.Equal && !number && c.exact { // by an index if there is one
		return fmt.Sprintf("%s = %s::text", name, args.add(p.Value))
	}
	return compareText(name+"::text", p, args)
}

// compareText is a predicate on a text that is a number where it reads as one.
func compareText(text string, p *query.Predicate, args *arguments) string {
	compare := fmt.Sprintf(`%s COLLATE "C" %s %s::text`, text, p.Op, args.add(p.Value))
	x, number := predicate.ParseNumber(p.Value)
	if !number {
		return compare
	}
	return fmt.Sprintf("CASE WHEN %s THEN %s %s %s::float8 ELSE %s END", isNumber(text), asNumber(text), p.Op, args.add(x), compare)
}

// isNumber follows predicate.ParseNumber: a decimal number that is not too large for a float8.
func isNumber(text string) string {
	const pattern = `^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,5})?$`
	return fmt.Sprintf(`CASE WHEN length(%[1]s) < 1000 AND %[1]s ~ '%[2]s' THEN abs(%[1]s::numeric) < 1.7976931348623159e308 ELSE false END`, text, pattern)
}

// asNumber is the float8 that a number reads as; a number that is too small is 0.
func asNumber(text string) string {
	return fmt.Sprintf(`CASE WHEN abs(%[1]s::numeric) < 2.5e-324 THEN 0 ELSE %[1]s::numeric::float8 END`, text)
}

// inJSON is a predicate on the values at the end of a path of names in a column of JSON.
func inJSON(column string, path []string, p *query.Predicate, args *arguments) string {
	const value = "(e #>> '{}')"
	compare := compareText(value, p, args)
	if _, number := predicate.ParseNumber(p.Value); number {
		compare = fmt.Sprintf(`CASE jsonb_typeof(e) WHEN 'boolean' THEN %s COLLATE "C" %s %s::text ELSE %s END`, value, p.Op, args.add(p.Value), compare)
	}
	return fmt.Sprintf("EXISTS (SELECT FROM jsonb_path_query(%s::jsonb, %s::jsonpath) e WHERE jsonb_typeof(e) IN ('string', 'number', 'boolean') AND %s)",
		column, args.add(jsonpath(path)), compare)
}

// jsonpath leads to the values under names, through lists and lists of lists.
func jsonpath(path []string) string {
	through := strings.Repeat("[*]", predicate.MaxDepth)
	text := "lax $" + through
	for i, name := range path {
		if i == 0 {
			text = "lax $"
		}
		text += "." + inPath(name) + through
	}
	return text
}

// inPath is a name in a path, as JSON has it.
func inPath(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

// paths are the names inside each other that a field may be made of: a.b is a field b
// within a, or one that is called a.b.
func paths(field string) [][]string {
	out := [][]string{{field}}
	for i, r := range field {
		if r == '.' {
			for _, rest := range paths(field[i+1:]) {
				out = append(out, append([]string{field[:i]}, rest...))
			}
		}
	}
	return out
}

// checkDots refuses a field that could be made of too many.
func checkDots(filter query.Node) error {
	if filter == nil {
		return nil
	}
	const most = 6
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && strings.Count(p.Field, ".") > most {
			return engine.BadInput("filter", "%s has more than %d dots in its field", p, most)
		}
	}
	return nil
}
