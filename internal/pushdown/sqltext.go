package pushdown

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

func (w *sqlWriter) text(out *Output) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s\n", comment(w.Score.Formula.Root.String()))
	if w.Filter != nil {
		fmt.Fprintf(&b, "-- where %s\n", comment(w.Filter.String()))
	}
	for _, note := range out.Notes {
		fmt.Fprintf(&b, "-- %s\n", note)
	}
	if !w.Inline {
		for _, p := range out.Parameters {
			fmt.Fprintf(&b, "-- %s  %s\n", p.Name, p.Of)
		}
		for _, s := range out.Settings {
			fmt.Fprintf(&b, "-- SET LOCAL %s = %s;\n", s.Name, s.Value)
		}
		return b.String() + out.Statement + ";\n"
	}
	b.WriteString("BEGIN READ ONLY;\n")
	for _, s := range out.Settings {
		fmt.Fprintf(&b, "SET LOCAL %s = %s;\n", s.Name, s.Value)
	}
	return b.String() + out.Statement + ";\nCOMMIT;\n"
}

func quoteName(name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`, nil
}

// quoteTable quotes the name of a table, with or without its schema. Either may already be in
// double quotes.
func quoteTable(name string) (string, error) {
	first, rest, ok := cutName(name)
	quoted, err := quoteName(first)
	if err != nil || !ok {
		return quoted, err
	}
	if m := quotedName.FindStringSubmatch(rest); m != nil && m[2] == "" {
		rest = strings.ReplaceAll(m[1], `""`, `"`)
	}
	table, err := quoteName(rest)
	return quoted + "." + table, err
}

var quotedName = regexp.MustCompile(`^"((?:[^"]|"")+)"(\.|$)`)

// cutName cuts a name at its first dot outside of quotes.
func cutName(name string) (first, rest string, ok bool) {
	if m := quotedName.FindStringSubmatch(name); m != nil {
		return strings.ReplaceAll(m[1], `""`, `"`), name[len(m[0]):], m[2] == "."
	}
	return strings.Cut(name, ".")
}

// quoteText quotes a string for any setting of standard_conforming_strings.
func quoteText(text string) string {
	var b strings.Builder
	escaped := false
	for _, r := range text {
		switch {
		case r == '\'':
			b.WriteString("''")
		case r == '\\':
			b.WriteString(`\\`)
			escaped = true
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04X`, r)
			escaped = true
		default:
			b.WriteRune(r)
		}
	}
	if escaped {
		return "E'" + b.String() + "'"
	}
	return "'" + b.String() + "'"
}

func literal(p *Parameter) string {
	switch v := p.Value.(type) {
	case []float32:
		return "'" + vectorText(v) + "'::" + p.Type
	case float64:
		return quoteText(number(v)) + "::" + p.Type
	}
	return quoteText(fmt.Sprint(p.Value)) + "::" + p.Type
}

var columnTypes = map[string]string{
	"text": "text", "varchar": "text", "character varying": "text", "uuid": "uuid",
	"smallint": "smallint", "int": "integer", "integer": "integer", "bigint": "bigint",
	"numeric": "numeric", "real": "real", "double precision": "double precision", "float8": "double precision",
	"boolean": "boolean", "bool": "boolean",
	"date": "date", "timestamp": "timestamp", "timestamp without time zone": "timestamp",
	"timestamptz": "timestamptz", "timestamp with time zone": "timestamptz",
}

// lengths matches the length in parentheses after a type.
var lengths = regexp.MustCompile(`\([0-9, ]*\)`)

func (w *sqlWriter) filter() *filterer[string] {
	join := func(sign string) func([]string) string {
		return func(of []string) string { return "(" + strings.Join(of, sign) + ")" }
	}
	return &filterer[string]{
		predicate: func(p *query.Predicate, negated bool) (string, error) {
			text, err := w.predicate(p)
			if negated { // a row without the value does not satisfy the predicate
				text = "(" + text + ") IS NOT TRUE"
			}
			return text, err
		},
		all: join(" AND "), any: join(" OR "),
	}
}

func (w *sqlWriter) predicate(p *query.Predicate) (string, error) {
	if strings.ContainsRune(p.Value, 0) || !utf8.ValidString(p.Value) {
		return "", fmt.Errorf("%s has what PostgreSQL cannot compare", comment(p.String()))
	}
	column, err := quoteName(p.Field)
	if err != nil {
		return "", err
	}
	kind, typed := w.Names.Types[p.Field]
	x, isNumber := readNumber(p.Value)
	of := comment(p.String())
	switch {
	case !typed && w.Names.Metadata != "":
		return w.member(p)
	case !typed && isNumber:
		return fmt.Sprintf("t.%s %s %s", column, p.Op, w.put("double precision", of, x)), nil
	case !typed:
		kind = "text"
	}
	known := columnTypes[strings.ToLower(lengths.ReplaceAllString(strings.TrimSpace(kind), ""))]
	switch {
	case known == "":
		return "", fmt.Errorf("the column %q is of type %q, which predicates cannot be about; text, integer, numeric, double precision, boolean, date and timestamptz are some that they can", p.Field, kind)
	case known == "text" && p.Op != query.Equal, p.Op == query.Glob:
		return fmt.Sprintf(`t.%s::text COLLATE "C" %s %s`, column, p.Op, w.put("text", of, p.ForSQL().Value)), nil
	}
	return fmt.Sprintf("t.%s %s %s", column, p.Op, w.put(known, of, p.Value)), nil
}

// member writes a predicate on a field of the JSON column. Numbers compare as numbers, strings
// as strings; one element of a list is enough.
func (w *sqlWriter) member(p *query.Predicate) (string, error) {
	metadata, err := quoteName(w.Names.Metadata)
	if err != nil {
		return "", err
	}
	var path strings.Builder
	path.WriteString("lax $")
	for name := range strings.SplitSeq(p.Field, ".") {
		path.WriteString("." + jsonText(name))
	}
	of := comment(p.String())
	if p.Op == query.Glob {
		return fmt.Sprintf("EXISTS (SELECT FROM jsonb_path_query(t.%s::jsonb, %s) e WHERE e #>> '{}' LIKE %s)", metadata, quoteText(path.String()+"[*]"), w.put("text", of, p.ForSQL().Value)), nil
	}
	sign := p.Op.String()
	if p.Op == query.Equal {
		sign = "=="
	}
	test := "@ " + sign + " $s"
	values := "'s', " + w.put("text", of, p.Value)
	if x, ok := readNumber(p.Value); ok {
		test += " || @ " + sign + " $x"
		values += ", 'x', " + w.put("double precision", of, x)
	}
	if b := p.Value; p.Op == query.Equal && (b == "true" || b == "false") {
		test += " || @ == " + b
	}
	return fmt.Sprintf("jsonb_path_exists(t.%s::jsonb, %s, jsonb_build_object(%s))", metadata, quoteText(path.String()+"[*] ? ("+test+")"), values), nil
}
